package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.Person;
import dev.gorkie.local.slack.ThreadView;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Work that goes on when its turn is over, from the tool's call to the answer in the thread.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobsIT {

  private static final String AFTERWARDS = "that you began for this person (.*?)\\.\nIts command";

  private final Stage stage = Stage.open();
  private JobPost post;
  private Gorkie gorkie;

  @BeforeAll
  void open() throws IOException {
    stage.slack().allowNaming("grace");
    post = JobPost.open();
    gorkie =
        stage.another(
            Map.of(
                "GORKIE_URL", post.url().toString(),
                "GORKIE_WEBHOOK_URL", post.hook().toString(),
                "GORKIE_WEBHOOK_SECRET", "sixteen-characters-or-more",
                "GORKIE_SWEEP_JOBS_EVERY", "1s",
                "GORKIE_SESSIONS_SILENCE", "2s",
                "GORKIE_SWEEP_PAUSE_EVERY", "1s"));
    post.bringTo(gorkie.url());
  }

  @AfterEach
  void forget() {
    stage.model().forgetScript();
    post.heal();
  }

  @AfterAll
  void close() throws Exception {
    stage.asBefore();
    gorkie.close();
    post.close();
  }

  /// A thread in which grace has had this begun, and was told so.
  private ThreadView begun(String word, String command) throws InterruptedException {
    stage
        .model()
        .script(
            Rule.whenContaining(
                word, Reply.calls(background(command)), Reply.says("Begun: {{result}}")));
    stage.model().script(Rule.whenMatching(AFTERWARDS, Reply.says("It {{1}}.")));
    var root = stage.slack().say("general", "grace", "@gorkie " + word);
    return stage.answered("general", root, 1);
  }

  private static ToolCall background(String command) {
    return new ToolCall("bash", JsonObject.of("command", command, "background", true));
  }

  private ThreadView answeredAgain(ThreadView thread) throws InterruptedException {
    return stage.answered("general", thread.rootTs(), Stage.answers(thread).size() + 1);
  }

  /// Lets what waits for it go on.
  private void go(ThreadView thread) throws IOException {
    Files.createFile(stage.sandboxOf(thread).work().resolve("go"));
  }

  private static String waitingThen(String command) {
    return "until [ -e go ]; do sleep 0.05; done; " + command;
  }

  private static String id(ThreadView thread) {
    return Stage.answer(thread).replaceAll("(?s).*Job (job-[a-z0-9]+).*", "$1");
  }

  @Test
  void the_end_of_a_job_is_answered_in_its_thread_and_names_who_asked() throws Exception {
    var thread = begun("job-to-its-end", waitingThen("echo made-$((6*7)); exit 3"));
    assertTrue(Stage.answer(thread).contains("has begun"), thread.plain());

    go(thread);

    var later = answeredAgain(thread);
    var grace = stage.slack().person("grace").id();
    assertTrue(Stage.answer(later).contains("It failed with exit code 3, after"), later.plain());
    assertTrue(
        stage.slack().calls().stream()
            .anyMatch(call -> call.toString().contains("<@" + grace + "> It failed with")),
        later.plain());
    var asked = stage.model().asked().getLast().lastUserText();
    assertTrue(asked.contains("made-42"), asked);
    assertTrue(asked.contains("Nobody wrote this; it is for grace"), asked);
    told(id(thread));
    // A program of the operator's hears of both turns.
    Await.until(() -> post.hooked(thread.rootTs()) >= 2);
  }

  /// The first of what was said of it at the door; Gorkie may have heard of its end before by asking.
  private JobPost.Told told(String job) {
    Await.until(() -> !post.heard(job).isEmpty());
    return post.heard(job).getFirst();
  }

  @Test
  void it_goes_as_the_page_on_jobs_shows() throws Exception {
    ExamplePage.of("jobs.md").play(stage);
  }

  @Test
  void an_end_that_is_told_five_times_is_answered_once() throws Exception {
    var thread = begun("job-told-often", waitingThen("echo once"));
    go(thread);
    var later = answeredAgain(thread);

    var told = told(id(thread));
    for (var time = 0; time < 5; time++) {
      assertEquals(204, post.tell(told));
    }

    stage.slack().awaitQuiet("general", Stage.PATIENCE);
    var after = stage.slack().thread("general", thread.rootTs());
    assertEquals(Stage.answers(later).size(), Stage.answers(after).size(), after.plain());
  }

  @Test
  void who_has_not_the_jobs_own_token_is_told_that_there_is_none() throws Exception {
    var one = begun("job-with-a-token", waitingThen("true"));
    var other = begun("job-of-another", waitingThen("true"));
    go(other);
    answeredAgain(other);
    var token = told(id(other));

    assertEquals(404, post.tell(token.to(id(one))));
    assertEquals(404, post.tell(token.with("")));
    assertEquals(404, post.tell(token.with("Bearer 99999999999." + "0".repeat(64))));
    assertEquals(404, post.tell(token.to("job-nobodys")));
    assertEquals(413, post.tell(token.saying("x".repeat(33 * 1024))));
    assertEquals(400, post.tell(token.saying("{}")));

    go(one);
    assertTrue(Stage.answer(answeredAgain(one)).contains("completed with exit code 0"));
  }

  @Test
  void without_a_way_out_the_end_is_found_by_looking() throws Exception {
    post.drop();
    var thread = begun("job-without-egress", waitingThen("echo found"));

    go(thread);

    var later = answeredAgain(thread);
    assertTrue(Stage.answer(later).contains("completed with exit code 0"), later.plain());
  }

  @Test
  void a_sandbox_sleeps_when_its_thread_is_silent_and_not_while_a_job_runs() throws Exception {
    var busy = begun("job-in-silence", waitingThen("echo awake"));
    var idle = stage.ask("general", "$ echo nothing-more");

    Await.until(() -> isStopped(idle));

    assertFalse(isStopped(busy));
    go(busy);
    var later = answeredAgain(busy);
    Await.until(() -> isStopped(later));
  }

  private boolean isStopped(ThreadView thread) {
    return stage.sandboxOf(thread).state().toString().equalsIgnoreCase("stopped");
  }

  @Test
  void a_job_that_was_lost_with_its_computer_is_told_as_failed() throws Exception {
    var thread = begun("job-to-be-lost", "sleep 1000");

    stage.stop(stage.sandboxOf(thread));

    var later = answeredAgain(thread);
    assertTrue(Stage.answer(later).contains("failed: it was lost"), later.plain());
  }

  @Test
  void the_jobs_of_a_thread_are_shown_with_buttons_that_end_them() throws Exception {
    var thread = begun("job-to-be-stopped", "trap 'exit 5' TERM; while :; do sleep 0.05; done");
    var id = id(thread);

    stage.slack().reply("general", thread.rootTs(), "ada", "!jobs");
    var shown =
        stage
            .slack()
            .awaitThread(
                "general", thread.rootTs(), it -> it.appSaid(id + " · running"), Stage.PATIENCE);
    var list = shown.byApp().getLast();
    stage.slack().click("general", list.ts(), "ada", "gorkie_stop_job");

    var stopped =
        stage
            .slack()
            .awaitThread(
                "general", thread.rootTs(), it -> it.appSaid("I have stopped"), Stage.PATIENCE);
    assertTrue(stopped.appSaid(id), stopped.plain());
    stage.slack().reply("general", thread.rootTs(), "ada", "!jobs");
    stage
        .slack()
        .awaitThread(
            "general",
            thread.rootTs(),
            it -> it.appSaid(id + " · was stopped with exit code 5"),
            Stage.PATIENCE);
    stage.slack().awaitQuiet("general", Stage.PATIENCE);
    // Nobody has to be told of it by the agent, too.
    assertFalse(
        stage.slack().thread("general", thread.rootTs()).appSaid("It was stopped"),
        stopped.plain());
  }

  @Test
  void what_listens_there_whoever_sees_the_thread_may_look_at_by_an_address_of_ones_own()
      throws Exception {
    var port = freePort();
    stage
        .model()
        .script(
            Rule.whenContaining(
                "show-a-page",
                Reply.calls(
                    background("echo made-here >index.html; exec python3 -m http.server " + port)),
                Reply.calls(listening(port)),
                Reply.calls(new ToolCall("showPort", JsonObject.of("port", 80, "title", "No"))),
                Reply.calls(
                    new ToolCall("showPort", JsonObject.of("port", port, "title", "A page"))),
                Reply.says("There: {{result}}")));
    var thread =
        stage.answered("general", stage.slack().say("general", "grace", "@gorkie show-a-page"), 2);
    assertTrue(thread.appSaid("People see a button"), thread.plain());
    assertTrue(
        Stage.cards(thread).getFirst().text().contains("a number from 1024"), thread.plain());
    var button = thread.byApp().stream().filter(it -> it.text().contains("to look at")).findFirst();

    stage.slack().click("general", button.orElseThrow().ts(), "ada", "gorkie_open_port");

    var one = address(thread, "ada");
    assertEquals("made-here\n", read(one));
    stage.slack().click("general", button.get().ts(), "alan", "gorkie_open_port");
    assertNotEquals(one, address(thread, "alan"));

    stage.slack().reply("general", thread.rootTs(), "ada", "!jobs");
    var list =
        stage
            .slack()
            .awaitThread("general", thread.rootTs(), it -> it.appSaid(" · running"), Stage.PATIENCE)
            .byApp()
            .getLast();
    stage.slack().click("general", list.ts(), "ada", "gorkie_stop_job");
    stage
        .slack()
        .awaitThread(
            "general", thread.rootTs(), it -> it.appSaid("I have stopped"), Stage.PATIENCE);
    stage.slack().click("general", button.get().ts(), "grace", "gorkie_open_port");
    assertTrue(told(thread, "grace", "Nothing listens on port").contains("start it again"));
  }

  @Test
  void it_goes_as_the_page_on_looking_shows() throws Exception {
    var port = freePort();
    stage
        .model()
        .script(
            Rule.whenContaining(
                "serve me a page",
                Reply.calls(background("exec python3 -m http.server " + port)),
                Reply.calls(listening(port)),
                Reply.calls(
                    new ToolCall(
                        "showPort",
                        JsonObject.of("port", port, "title", "A page that says hello"))),
                Reply.says("It runs.")));

    ExamplePage.of("previews.md").play(stage);
  }

  @Test
  void who_does_not_read_the_conversation_any_more_gets_no_address() throws Exception {
    var port = freePort();
    var mona = stage.slack().addPerson("mona", "Mona Moved");
    stage.slack().addChannel("closed-look", Channel.Kind.PRIVATE);
    stage
        .model()
        .script(
            Rule.whenContaining(
                "show-it-here",
                Reply.calls(background("exec python3 -m http.server " + port)),
                Reply.calls(listening(port)),
                Reply.calls(
                    new ToolCall("showPort", JsonObject.of("port", port, "title", "A page"))),
                Reply.says("There.")));
    var root = stage.slack().say("closed-look", "mona", "@gorkie show-it-here");
    var thread = stage.answered("closed-look", root, 2);
    var button = thread.byApp().stream().filter(it -> it.text().contains("to look at")).findFirst();
    stage.slack().leaves("closed-look", "mona");

    stage.slack().click("closed-look", button.orElseThrow().ts(), "mona", "gorkie_open_port");

    // Slack shows it to him no more than anything else there.
    var calls = stage.slack().awaitCalls(all -> !toldTo(mona, all).isEmpty(), Stage.PATIENCE);
    var told = toldTo(mona, calls).getFirst();
    assertTrue(told.contains("Only whoever can read this conversation"), told);
    assertFalse(told.contains("http"), told);
  }

  private static List<String> toldTo(Person person, List<ApiCall> calls) {
    return calls.stream()
        .filter(call -> call.method().equals("chat.postEphemeral"))
        .filter(call -> call.field("user").equals(person.id()))
        .map(call -> call.field("text"))
        .toList();
  }

  /// Waits until something is there.
  private static ToolCall listening(int port) {
    var command =
        "until (: </dev/tcp/127.0.0.1/%d) 2>/dev/null; do sleep 0.05; done".formatted(port);
    return new ToolCall("bash", JsonObject.of("command", command));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// The one that a person was told, and nobody else.
  private URI address(ThreadView thread, String person) throws InterruptedException {
    var told = told(thread, person, "http://");
    return URI.create(told.replaceAll("(?s).*(http://\\S+).*", "$1"));
  }

  /// What this person alone reads in a thread, once it says this.
  private String told(ThreadView thread, String person, String words) throws InterruptedException {
    return stage
        .slack()
        .awaitThread(
            thread.channel(),
            thread.rootTs(),
            it -> toldOnly(it, person).anyMatch(text -> text.contains(words)),
            Stage.PATIENCE)
        .messages()
        .stream()
        .filter(it -> it.onlyFor().equals(Optional.of(person)))
        .map(MessageView::text)
        .filter(text -> text.contains(words))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> toldOnly(ThreadView thread, String person) {
    return thread.messages().stream()
        .filter(it -> it.onlyFor().equals(Optional.of(person)))
        .map(MessageView::text);
  }

  private static String read(URI address) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(address.resolve("/index.html")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void ten_jobs_may_run_at_once_and_an_id_means_nothing_elsewhere() throws Exception {
    var eleven =
        IntStream.rangeClosed(1, 11)
            .mapToObj(_ -> background("sleep 1000"))
            .toArray(ToolCall[]::new);
    stage
        .model()
        .script(
            Rule.whenContaining(
                "eleven-jobs", Reply.calls(eleven), Reply.says("Last: {{result}}")));
    var root = stage.slack().say("general", "grace", "@gorkie eleven-jobs");
    var thread = stage.answered("general", root, 1);
    var told = Stage.cards(thread).getFirst().text();
    assertEquals(10, told.split("has begun", -1).length - 1, told);
    assertEquals(1, told.split("10 jobs run in this conversation", -1).length - 1, told);
    var listed =
        Stage.answer(
            stage.goOn(
                thread, "$ for job in ~/.gorkie/jobs/*; do basename $job; done | head -n 1"));
    var foreign = listed.replaceAll("(?s).*(job-[a-z0-9]{12}).*", "$1");

    stage
        .model()
        .script(
            Rule.whenContaining(
                "look-elsewhere",
                Reply.calls(background("sleep 1000")),
                Reply.calls(new ToolCall("async_status", JsonObject.of("id", foreign))),
                Reply.says("It said: {{result}}")));
    var elsewhere =
        stage.answered("random", stage.slack().say("random", "grace", "@gorkie look-elsewhere"), 1);

    assertTrue(
        Stage.answer(elsewhere).contains("There is no job of this id in this conversation"),
        elsewhere.plain());
  }
}
