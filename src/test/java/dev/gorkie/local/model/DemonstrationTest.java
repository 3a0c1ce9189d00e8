package dev.gorkie.local.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demonstration's tools are carried out here for real, in a folder of their own.
class DemonstrationTest {

  @TempDir private Path sandbox;

  private final LocalModel model = LocalModel.start(new LocalModel.Settings(0, "local/demo", ""));
  private final Caller caller = new Caller(model);
  private final List<ToolCall> carriedOut = new ArrayList<>();

  @AfterEach
  void close() {
    caller.close();
    model.close();
  }

  @Test
  void it_says_that_it_is_no_real_model_and_what_it_can_do() {
    var answer = caller.says("Hello, who are you?").answer();

    assertTrue(answer.text().contains("no real model"), answer.text());
    assertTrue(answer.text().contains("chart"), answer.text());
    assertEquals(List.of(), answer.calls());
  }

  @Test
  void shell_lines_are_run_one_after_another_and_what_they_print_is_the_answer() throws Exception {
    caller.says(
        "Anna: @gorkie $ echo first > a.txt\n$ cat a.txt\nrun: ls nowhere\n```sh\nfor i in 1 2; do\n  echo line $i\ndone\n```");

    var answer = runToTheEnd();

    assertEquals(4, carriedOut.size());
    assertTrue(answer.contains("$ cat a.txt\nfirst\n"), answer);
    assertTrue(answer.contains("line 1\nline 2\n"), answer);
    assertTrue(answer.contains("Command exited with code 2"), answer);
    assertTrue(answer.contains("no real model"), answer);
    assertEquals("is running cat a.txt", carriedOut.get(1).arguments().getString("status"));
  }

  @Test
  void a_chart_of_a_table_is_drawn_and_shown() throws Exception {
    Files.createDirectories(sandbox.resolve("attachments"));
    Files.writeString(
        sandbox.resolve("attachments/sales.csv"), "city,sold\n\"Köln\",12\nBonn,-3\n<Ulm>,7\n");
    caller.says("Please make a bar chart of `attachments/sales.csv`");

    var answer = runToTheEnd();

    var shown = carriedOut.getLast();
    assertEquals("showFile", shown.name());
    var drawing = Files.readString(sandbox.resolve(shown.arguments().getString("path")));
    assertTrue(drawing.startsWith("<svg") && drawing.strip().endsWith("</svg>"), drawing);
    assertTrue(drawing.contains("Köln") && drawing.contains("&lt;Ulm&gt;"), drawing);
    assertTrue(answer.contains("Here is the chart"), answer);
  }

  @Test
  void a_table_is_found_where_it_was_put_and_not_where_the_words_say() throws Exception {
    Files.createDirectories(sandbox.resolve("attachments/1"));
    Files.writeString(sandbox.resolve("attachments/1/sales.csv"), "city,sold\nKöln,12\n");
    caller.says("Plot sales.csv\nAttached: attachments/1/sales.csv (text/csv)");

    runToTheEnd();

    assertTrue(Files.readString(sandbox.resolve("chart.svg")).contains("Köln"));
  }

  @Test
  void a_chart_of_nothing_in_particular_is_drawn_from_sample_numbers() throws Exception {
    caller.says("Show me some diagram");

    runToTheEnd();

    assertTrue(Files.readString(sandbox.resolve("chart.svg")).contains("Jun"));
  }

  @Test
  void a_chart_that_fails_is_not_shown() throws Exception {
    caller.says("Plot missing.csv please");

    var answer = runToTheEnd();

    assertTrue(answer.contains("did not work out"), answer);
    assertFalse(carriedOut.stream().anyMatch(call -> call.name().equals("showFile")));
  }

  @Test
  void steering_adds_commands_and_is_noticed() throws Exception {
    caller.says("$ echo one");
    carryOut(caller.answer().calls().getFirst());
    caller.says("$ echo two");
    carryOut(caller.answer().calls().getFirst());
    caller.says("thank you");

    var answer = runToTheEnd();

    assertTrue(
        answer.contains("$ echo one\none\n") && answer.contains("$ echo two\ntwo\n"), answer);
    assertTrue(answer.contains("Meanwhile you said: “thank you”"), answer);
  }

  @Test
  void what_was_stopped_is_not_taken_up_again() {
    caller.says("$ sleep 100\n$ echo later").answer();
    caller.result(caller.lastCallId(), "Command aborted").says("Hello again");

    var answer = caller.answer();

    assertEquals(List.of(), answer.calls());
    assertTrue(answer.text().contains("Hello"), answer.text());
  }

  @Test
  void a_new_run_does_not_repeat_the_one_before() throws Exception {
    caller.says("$ echo one");
    runToTheEnd();
    caller.says("$ echo two");

    var answer = runToTheEnd();

    assertFalse(answer.contains("echo one"), answer);
    assertEquals(2, carriedOut.size());
  }

  @Test
  void without_tools_it_says_so() {
    var answer = caller.withoutTools().says("$ ls").answer();

    assertTrue(answer.text().contains("no tool"), answer.text());
  }

  private String runToTheEnd() throws Exception {
    var answer = caller.answer();
    while (!answer.calls().isEmpty()) {
      carryOut(answer.calls().getFirst());
      answer = caller.answer();
    }
    return answer.text();
  }

  private void carryOut(ToolCall call) throws IOException, InterruptedException {
    carriedOut.add(call);
    caller.result(caller.lastCallId(), result(call));
  }

  private String result(ToolCall call) throws IOException, InterruptedException {
    var arguments = call.arguments();
    return switch (call.name()) {
      case "bash" -> bash(arguments.getString("command"));
      case "write" -> {
        Files.writeString(
            sandbox.resolve(arguments.getString("path")), arguments.getString("content"));
        yield "Wrote it";
      }
      default -> "Shown";
    };
  }

  private String bash(String command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder("bash", "-c", command)
            .directory(sandbox.toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    var code = process.waitFor();
    return code == 0 ? output : output + "\nCommand exited with code " + code;
  }
}
