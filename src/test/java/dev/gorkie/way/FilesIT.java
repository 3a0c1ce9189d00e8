package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.FileView;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Files both ways. Gorkie's heap is a fraction of the large ones.
class FilesIT {

  private static final long LARGE_BYTES = 300L * 1024 * 1024;

  private final Stage stage = Stage.open();

  @Test
  void a_file_attached_in_slack_is_read_by_pis_shell() throws Exception {
    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie $ cat attachments/*/*.csv")
                .with(Upload.text("people.csv", "name\nAda\nGrace\n")));

    assertTrue(Stage.answer(thread).contains("Grace"), thread.plain());
  }

  @Test
  void an_image_is_shown_to_a_model_that_sees_when_it_opens_it() throws Exception {
    var pixel =
        Base64.getDecoder()
            .decode(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
    stage
        .model()
        .script(
            Rule.whenMatching(
                "look at this picture.*Attached: (\\S+) \\(image/png\\)\\. You see it",
                Reply.calls(new ToolCall("read", JsonObject.of("path", "{{1}}"))),
                Reply.says("I have seen it.")));

    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie look at this picture")
                .with(Upload.bytes("dot.png", pixel)));

    var asked = stage.model().asked().getLast().body().encode();
    assertTrue(Stage.answer(thread).contains("I have seen it."), thread.plain());
    assertTrue(asked.contains("data:image/png;base64,"), asked);
  }

  @Test
  void two_files_of_one_name_and_one_with_an_awkward_name_all_arrive() throws Exception {
    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie $ cat attachments/*/* | sort")
                .with(Upload.text("a.txt", "first\n"))
                .with(Upload.text("a.txt", "second\n"))
                .with(Upload.text("../../$(touch hacked) \u202e“ä”.txt", "third\n")));

    for (var content : List.of("first", "second", "third")) {
      assertTrue(Stage.answer(thread).contains(content), thread.plain());
    }
    var later = stage.goOn(thread, "$ find ~ -name 'hacked*' | wc -l");
    assertTrue(Stage.answer(later).contains("0"), later.plain());
  }

  @Test
  void a_file_that_pi_shows_arrives_in_the_thread_with_its_title() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "show me a picture",
                Reply.calls(ToolCall.bash("mkdir -p output && printf 'a picture' > output/p.png")),
                Reply.calls(ToolCall.showFile("output/p.png", "A picture")),
                Reply.says("There it is.")));

    var thread = stage.ask("general", "show me a picture");

    var file = onlyFile(thread);
    assertEquals("a picture", file.text());
    assertEquals("A picture", file.title());
    assertTrue(Stage.answer(thread).contains("There it is."), thread.plain());
  }

  @Test
  void what_lies_in_output_display_arrives_once_also_when_it_was_shown() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "leave two files",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output/display && echo one > output/display/1.txt && echo two > output/display/2.txt")),
                Reply.calls(ToolCall.showFile("output/display/1.txt", "The first")),
                Reply.says("Both are there.")));

    var thread = stage.ask("general", "leave two files");

    assertEquals(
        List.of("one\n", "two\n"),
        withFiles(thread, 2).filesByApp().stream().map(FileView::text).sorted().toList());
  }

  @Test
  void of_five_files_each_is_taken_in_under_a_name_of_its_own_or_refused_by_name()
      throws Exception {
    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie $ ls attachments/*")
                .with(Upload.text("a.txt", "first\n"))
                .with(Upload.text("a.txt", "second\n"))
                .with(Upload.text("report.pdf", "%PDF-1.7\n"))
                .with(Upload.generated("disk.iso", 1_000_000_001))
                .with(Upload.text("people.csv", "name\nAda\n").fromAnotherWorkspace()));

    var card = Stage.cards(thread).getFirst();
    for (var name : List.of("a.txt", "a-2.txt", "report.pdf", "people.csv")) {
      assertTrue(Stage.answer(thread).contains(name), thread.plain());
    }
    assertFalse(Stage.answer(thread).contains("disk.iso"), thread.plain());
    var refused =
        card.tasks().stream()
            .filter(task -> task.title().contains("Taking in disk.iso"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(thread.plain()));
    assertTrue(
        refused.output().contains("larger than 1 GB. Please send it in parts."), thread.plain());
    assertEquals(
        5,
        card.tasks().stream().filter(task -> task.title().startsWith("Taking in ")).count(),
        thread.plain());
  }

  @Test
  void of_fifty_one_files_fifty_are_taken_in_and_the_person_is_told_of_the_rest() throws Exception {
    var many = Utterance.in("general", "ada", "@gorkie $ ls attachments/*/ | wc -l");
    for (var number = 0; number < 51; number++) {
      many = many.with(Upload.text("same.txt", "number " + number + "\n"));
    }

    var thread = stage.ask(many);

    assertTrue(Stage.answer(thread).contains("50"), thread.plain());
    var rest =
        Stage.cards(thread).getFirst().tasks().stream()
            .filter(task -> task.title().contains("Taking in the rest"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(thread.plain()));
    assertTrue(
        rest.output()
            .contains("I take 50 files at once. Please send the others in your next message."),
        thread.plain());
  }

  @Test
  void what_lies_in_output_display_at_the_end_comes_in_one_message() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "leave three files",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output/display && cd output/display && echo a >a.csv && echo b >b.csv && echo c >c.csv")),
                Reply.says("They are there.")));

    var thread = withFiles(stage.ask("general", "leave three files"), 3);

    var together = thread.byApp().stream().filter(message -> !message.files().isEmpty()).toList();
    assertEquals(1, together.size(), thread.plain());
    assertEquals(3, together.getFirst().files().size(), thread.plain());
    assertTrue(together.getFirst().text().contains("3 files: a.csv, b.csv, c.csv"), thread.plain());
  }

  @Test
  void a_path_outside_the_work_directory_is_not_shown() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "show me a secret",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output/display && ln -s /etc/hostname output/display/h")),
                Reply.says("It is a link.")));

    var thread = stage.ask("general", "show me a secret");

    assertEquals(List.of(), thread.filesByApp());
    assertTrue(Stage.answer(thread).contains("It is a link."), thread.plain());
  }

  @Test
  void three_hundred_megabytes_arrive_byte_for_byte_and_come_back() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "send this back",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output && mv attachments/*/large.bin output/ && sha256sum output/large.bin")),
                Reply.calls(ToolCall.showFile("output/large.bin", "Back")),
                Reply.says("{{result}}")));
    var large = Upload.generated("large.bin", LARGE_BYTES);

    var thread = stage.ask(Utterance.in("general", "ada", "@gorkie send this back").with(large));

    var file = onlyFile(thread);
    assertEquals(LARGE_BYTES, file.size());
    try (var sent = large.source().open();
        var received = file.open()) {
      assertEquals(hash(sent), hash(received));
    }
  }

  private FileView onlyFile(ThreadView thread) throws InterruptedException {
    var files = withFiles(thread, 1).filesByApp();
    assertEquals(1, files.size());
    return files.getFirst();
  }

  /// Slack shows a file some time after it has taken it.
  private ThreadView withFiles(ThreadView thread, int files) throws InterruptedException {
    return stage
        .slack()
        .awaitThread(
            thread.channel(),
            thread.rootTs(),
            now -> now.filesByApp().size() >= files,
            Stage.PATIENCE);
  }

  private static String hash(InputStream content) throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    var block = new byte[64 * 1024];
    for (var read = content.read(block); read >= 0; read = content.read(block)) {
      digest.update(block, 0, read);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
