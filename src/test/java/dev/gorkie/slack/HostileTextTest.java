package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.RealDatabase;
import dev.gorkie.attack.Attack;
import dev.gorkie.local.slack.Safety;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whatever is said by whomever, on each way by which it comes to Slack: nobody is pinged, nothing hides, nothing is fetched.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class HostileTextTest {

  // As many as the corpus holds; of each the message that comes of it is judged without a wire.
  private static final int TEXTS = 4_000;

  @Inject Tables tables;

  private SlackAtHand slack;

  @BeforeEach
  void begin() {
    slack = new SlackAtHand(tables, Map.of("gorkie.slack.card-delay", "0s"));
  }

  @AfterEach
  void end() {
    slack.close();
  }

  @Test
  void no_text_of_the_corpus_does_any_harm_in_any_message_that_is_made_of_it() {
    var through = new ArrayList<String>();
    var cases = 0L;
    for (var text : HostileText.corpus(TEXTS, Attack.seed())) {
      for (var form : forms(text)) {
        cases++;
        for (var violation : new Safety().check("chat.update", form)) {
          through.add(violation + " from " + text);
        }
      }
    }

    Attack.of("S3/S4", "hostile text in every kind of message").withstood(cases, through);
  }

  private static List<Map<String, String>> forms(String text) {
    var forms = new ArrayList<Map<String, String>>();
    var safe = Markdown.neutralise(text);
    for (var piece : Markdown.cut(safe, Growing.MESSAGE_BYTES_MAX)) {
      forms.add(form(Content.markdown(piece)));
      forms.add(form(Content.plain(piece)));
    }
    // Whatever is there when somebody stops it, or it breaks off.
    for (var end = 1; end < text.length(); end += 1 + text.length() / 5) {
      forms.add(Map.of("markdown_text", Markdown.beginning(text.substring(0, end) + " x")));
    }
    var card = new Card(Instant.EPOCH);
    card.step(text, text, text);
    card.stepFailed(text, text);
    card.note(text);
    card.used(new Usage(1, BigDecimal.ONE));
    forms.add(form(CardBlocks.plan(card.shown(Instant.EPOCH))));
    forms.add(form(CardBlocks.plain(card.shown(Instant.EPOCH))));
    card.end(Card.Ending.FAILED, Instant.EPOCH);
    forms.add(form(CardBlocks.plan(card.shown(Instant.EPOCH))));
    forms.add(Map.of("text", Content.notice(text)));
    forms.add(Map.of("title", SafeText.line(text, 80)));
    forms.add(Map.of("shown", SafeText.visible(text)));
    return forms;
  }

  private static Map<String, String> form(Content content) {
    return Map.of("text", content.text(), "blocks", content.blocks().toString());
  }

  @Test
  void no_text_does_any_harm_on_any_way_to_slack() throws Exception {
    var texts = HostileText.corpus(TEXTS, Attack.seed());
    var ways = ways();
    var most = Attack.cases(25, 2_500);
    var cases = 0L;
    var refused = new ArrayList<String>();
    for (var at = 0; at < most; at++) {
      var text = texts.get((int) ((long) at * texts.size() / most));
      for (var way : ways) {
        way.say(text, "t" + at + "-" + cases++);
      }
      slack.workspace.violations().forEach(it -> refused.add(it + " from " + text));
      if (!refused.isEmpty()) {
        break;
      }
    }
    slack.workspace.calls().stream()
        .filter(call -> !call.ok() && call.answer().getString("error", "").contains("unsafe"))
        .forEach(call -> refused.add(call.toString()));

    assertTrue(slack.workspace.calls("chat.postMessage").size() > most);
    Attack.of("S3/S4", "hostile text on every way to Slack").withstood(cases, refused);
  }

  @Test
  void a_title_of_which_nothing_can_be_seen_is_none() {
    var conversations = new Conversations(slack.api);
    var at = slack.address.thread();
    var channel = slack.address.channel();
    var root = slack.address.rootTs();

    assertFalse(
        conversations.title(at.team(), channel, root, "\u0000\u001b \u200b\u00a0\u2800\ufe0f\n"));
    assertTrue(conversations.title(at.team(), channel, root, " t\n"));

    assertEquals("t", slack.thread().title().orElseThrow());
  }

  @Test
  void what_cannot_be_seen_in_a_command_is_shown_to_whoever_is_to_allow_it() throws Exception {
    var hidden = "echo \u001b]0;$(rm -rf ~)\u0007 fine \u202ehs.lli\u0000k\u200b \ud800";

    ask("q1", hidden, 0);

    var shown = slack.said().getFirst().text();
    assertTrue(shown.contains("$(rm -rf ~)"), shown);
    assertTrue(
        shown.contains(
            "\\u{1b}]0;$(rm -rf ~)\\u{7} fine \\u{202e}hs.lli\\u{0}k\\u{200b} \\u{d800}"),
        shown);
  }

  @Test
  void whoever_is_to_allow_a_command_reads_how_much_of_it_is_missing() throws Exception {
    ask("q1", "x".repeat(3_000) + "; rm -rf ~", 7);

    // Of 3,010 characters 2,499 and an ellipsis are shown, and seven were never sent.
    var shown = slack.said().getFirst().text();
    assertTrue(shown.contains("(517 more characters are not shown)"), shown);
  }

  private void ask(String id, String shown, long more) throws InterruptedException {
    var asked = new Question.Asked(id, "May I run this command?", shown, more);
    assertTrue(
        slack
            .replies()
            .question(slack.address, asked, new TestHold(1), Deadline.in(SlackAtHand.SOON))
            .ask());
  }

  private interface Way {
    void say(String text, String id) throws InterruptedException;
  }

  /// Each way by which something comes to Slack that we have not written ourselves.
  private List<Way> ways() {
    var conversations = new Conversations(slack.api);
    var home = new HomePage(slack.api);
    var team = slack.workspace.teamId();
    var ada = slack.workspace.person("ada").id();
    var at = slack.address;
    return List.of(
        this::answered,
        this::grown,
        this::worked,
        this::apologised,
        this::brokenOff,
        this::shown,
        (text, id) -> ask(id, text, 3),
        this::decided,
        (text, id) -> slack.replies().whisper(team, at.channel(), at.rootTs(), ada, text),
        (text, id) -> slack.replies().tell(at, id, text),
        (text, id) -> conversations.title(team, at.channel(), at.rootTs(), text),
        (text, id) ->
            home.publish(
                team,
                ada,
                new HomePage.Shown(
                    text,
                    List.of(),
                    List.of(text),
                    List.of(
                        new Listing.Line(text, Optional.of(Pressed.Action.CANCEL_TASK), "task-1")),
                    text,
                    List.of("m", "n"),
                    "m",
                    "",
                    3_000,
                    true)),
        this::listed,
        (text, id) -> answeredAt(text));
  }

  private void listed(String text, String id) throws InterruptedException {
    var line = new Listing.Line(text, Optional.of(Pressed.Action.STOP_JOB), "job-1");
    tables.database.transaction(
        () -> {
          slack.replies().note(slack.address, id, new Listing("What runs here:", List.of(line)));
          slack.replies().note(slack.address, id + "-said", "", text);
          return true;
        });
    slack.replies().say(id);
    slack.replies().say(id + "-said");
  }

  private void answered(String text, String id) throws InterruptedException {
    try (var reply = slack.open(id)) {
      assertTrue(slack.answers(reply, text));
    }
  }

  private void grown(String text, String id) throws InterruptedException {
    try (var reply = slack.open(id)) {
      var before = slack.workspace.calls("chat.startStream").size();
      reply.say("These are some words that begin an answer, more than forty characters.\n\n");
      slack.workspace.awaitCalls(
          calls ->
              calls.stream().filter(it -> it.method().equals("chat.startStream")).count() > before,
          SlackAtHand.SOON);
      reply.say(text + "\n\n");
      reply.rest();
      slack.decides(reply, new LastWord.Stopped());
      assertTrue(reply.deliver());
    }
  }

  private void worked(String text, String id) throws InterruptedException {
    try (var reply = slack.open(id)) {
      reply.acknowledge(text);
      reply.step(text, text, text);
      reply.stepFailed(text, text);
      reply.note(text);
      slack.decides(reply, new LastWord.Nothing());
      assertTrue(reply.deliver());
    }
  }

  private void apologised(String text, String id) throws InterruptedException {
    try (var reply = slack.open(id)) {
      slack.decides(reply, new LastWord.Apology(text));
      assertTrue(reply.deliver());
    }
  }

  private void brokenOff(String text, String id) throws InterruptedException {
    try (var reply = slack.open(id)) {
      slack.decides(reply, new LastWord.BrokenOff(text, text));
      assertTrue(reply.deliver());
    }
  }

  private void shown(String text, String id) throws InterruptedException {
    var bytes = id.getBytes(UTF_8);
    try (var reply = slack.open(id)) {
      reply.upload(Hash.of(id), text, text, bytes.length, new ByteArrayInputStream(bytes));
      slack.decides(reply, new LastWord.Nothing());
    }
  }

  private void decided(String text, String id) throws InterruptedException {
    ask(id, text, 0);
    var asked = new Question.Asked(id, "May I run this command?", text, 0);
    var question =
        slack
            .replies()
            .question(slack.address, asked, new TestHold(1), Deadline.in(SlackAtHand.SOON));
    question.decide(() -> true, "Allowed by " + text + ".");
    question.close();
  }

  private void answeredAt(String text) {
    assertEquals(List.of(), new Safety().check("respond", Map.of("text", Replies.answer(text))));
  }
}
