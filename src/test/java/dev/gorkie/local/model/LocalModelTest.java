package dev.gorkie.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalModelTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final LocalModel model =
      LocalModel.start(new LocalModel.Settings(0, "local/model", "key-of-a-test"));
  private final Caller caller = new Caller(model);

  @AfterEach
  void close() {
    caller.close();
    model.close();
  }

  @Test
  void text_comes_in_pieces_with_its_usage() {
    model.script(
        Rule.whenContaining(
            "hello",
            Reply.says("Grüße aus dem Süden 🌍")
                .paced(5, Duration.ZERO)
                .usage(new Usage(100, 60, 7))));

    var answer = caller.says("hello there").answer();

    assertEquals("Grüße aus dem Süden 🌍", answer.text());
    assertEquals(5, answer.pieces());
    assertEquals("stop", answer.finish());
    assertEquals(107, answer.usage().getInteger("total_tokens"));
  }

  @Test
  void several_tools_are_called_at_once_and_their_results_lead_to_the_next_reply() {
    model.script(
        Rule.whenContaining(
            "both",
            Reply.calls(
                ToolCall.bash("echo one"), ToolCall.write("two.txt", "a \"quoted\" line\n")),
            Reply.says("The last one said: {{result}}")));

    var calls = caller.says("do both").answer();
    var id = caller.lastCallId();
    caller.result(id.replaceAll("_1$", "_0"), "one").result(id, "wrote two.txt");
    var answer = caller.answer();

    assertEquals(
        List.of(ToolCall.bash("echo one"), ToolCall.write("two.txt", "a \"quoted\" line\n")),
        calls.calls());
    assertEquals("tool_calls", calls.finish());
    assertEquals("The last one said: wrote two.txt", answer.text());
  }

  @Test
  void twenty_threads_get_their_own_answers_from_one_rule() throws Exception {
    model.script(
        Rule.whenMatching(
            "number (\\d+)",
            Reply.calls(ToolCall.bash("echo {{1}}")),
            Reply.says("It is {{1}}, as {{result}} shows.")));

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers =
          IntStream.range(0, 20).mapToObj(n -> threads.submit(() -> numberOf(n))).toList();

      for (var n = 0; n < answers.size(); n++) {
        assertEquals("It is %d, as echo %d shows.".formatted(n, n), answers.get(n).get());
      }
    }
  }

  @Test
  void after_an_error_the_same_request_gets_the_next_reply() {
    model.script(
        Rule.whenContaining(
            "busy", Reply.refuses(429, "Slow down").with("retry-after", "1"), Reply.says("Now.")));
    caller.says("are you busy?");

    var refused = caller.ask();
    var answer = caller.answer();

    assertEquals(429, refused.statusCode());
    assertEquals(Optional.of("1"), refused.headers().firstValue("retry-after"));
    assertTrue(refused.body().toList().toString().contains("Slow down"));
    assertEquals("Now.", answer.text());
  }

  @Test
  void a_stream_is_cut_where_the_script_says() throws Exception {
    model.script(
        Rule.whenContaining(
            "cut",
            Reply.says("abcdef").paced(1, Duration.ZERO).ending(new Ending.Cut(3)),
            Reply.says("whole")));
    caller.says("cut");

    var cut = caller.ask();
    assertThrows(UncheckedIOException.class, () -> cut.body().toList());

    assertEquals(Asked.End.BROKEN_OFF, model.awaitAsked(_ -> true, SOON).awaitEnd(SOON));
    assertEquals("whole", caller.answer().text());
  }

  @Test
  void a_stream_may_end_without_a_finish_reason() {
    model.script(
        Rule.whenContaining(
            "quiet", Reply.says("ab").paced(1, Duration.ZERO).ending(new Ending.Unfinished(1))));

    var answer = caller.says("quiet").answer();

    assertEquals("a", answer.text());
    assertEquals("", answer.finish());
  }

  @Test
  void a_hanging_stream_goes_on_when_it_is_released() throws Exception {
    model.script(
        Rule.whenContaining(
            "wait", Reply.says("abc").paced(1, Duration.ZERO).ending(new Ending.Hanging(1))));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = threads.submit(() -> caller.says("wait").answer());
      model.awaitHanging(request -> request.lastUserText().equals("wait"), SOON);

      model.release();

      assertEquals("abc", answer.get().text());
    }
  }

  @Test
  void who_leaves_a_hanging_stream_gets_the_next_reply() throws Exception {
    model.script(
        Rule.whenContaining(
            "wait",
            Reply.says("a").paced(1, Duration.ZERO).ending(new Ending.Hanging(1)),
            Reply.says("whole")));
    caller.says("wait");
    var hanging = caller.ask();
    var request = model.awaitHanging(_ -> true, SOON);

    hanging.body().close();

    assertEquals(Asked.End.ABANDONED, request.awaitEnd(SOON));
    assertEquals("whole", caller.answer().text());
  }

  @Test
  void an_answer_can_be_cut_by_its_length() {
    model.script(Rule.whenContaining("long", Reply.says("and so").finish("length")));

    assertEquals("length", caller.says("a long story").answer().finish());
  }

  @Test
  void without_a_stream_the_answer_is_one_object() {
    model.script(Rule.whenContaining("hello", Reply.says("Hi.").calling(ToolCall.bash("ls"))));

    var choice = caller.says("hello").askWhole().getJsonArray("choices").getJsonObject(0);

    assertEquals("tool_calls", choice.getString("finish_reason"));
    assertEquals("Hi.", choice.getJsonObject("message").getString("content"));
    assertEquals(1, choice.getJsonObject("message").getJsonArray("tool_calls").size());
  }

  @Test
  void a_message_that_steers_keeps_the_script_going() {
    model.script(
        Rule.whenContaining(
            "begin", Reply.calls(ToolCall.bash("sleep 1")), Reply.says("Finished after all.")));

    caller.says("begin").answer();
    caller.result(caller.lastCallId(), "").says("hurry up");

    assertEquals("Finished after all.", caller.answer().text());
  }

  @Test
  void a_script_comes_by_http_too() {
    var script =
        """
        {"rules":[{"matching":"number (\\\\d+)","replies":[
          {"status":500,"message":"broken"},
          {"calls":[{"name":"bash","arguments":{"command":"echo {{1}}"}}]},
          {"text":"{{1}}!","usage":{"read":5,"written":1}}]}]}
        """;
    assertEquals(
        204, caller.send("POST", "/_local/script", script, BodyHandlers.discarding()).statusCode());

    caller.says("number 7");
    assertEquals(500, caller.ask().statusCode());
    assertEquals(List.of(ToolCall.bash("echo 7")), caller.answer().calls());
    caller.result(caller.lastCallId(), "7");
    assertEquals("7!", caller.answer().text());

    var asked = caller.send("GET", "/_local/asked", "", BodyHandlers.ofString()).body();
    assertEquals(3, new JsonObject(asked).getJsonArray("asked").size());
  }

  @Test
  void each_request_is_recorded_with_what_it_offered() throws Exception {
    caller.says("hello").answer();

    var asked = model.awaitAsked(request -> request.lastUserText().equals("hello"), SOON);

    assertEquals(List.of("bash", "write", "showFile"), asked.tools());
    assertEquals("local/model", asked.model());
    assertEquals(Optional.of("Bearer key-of-a-test"), asked.authorization());
  }

  @Test
  void a_wrong_key_is_refused() {
    assertEquals(401, caller.withKey("another").says("hello").ask().statusCode());
  }

  @Test
  void a_tool_call_nobody_answered_is_refused() {
    model.script(Rule.whenContaining("go", Reply.calls(ToolCall.bash("ls"))));
    caller.says("go").answer();

    assertEquals(400, caller.says("and now?").ask().statusCode());
  }

  private String numberOf(int n) {
    try (var own = new Caller(model)) {
      var command = own.says("number " + n).answer().calls().getFirst();
      own.result(own.lastCallId(), command.arguments().getString("command"));
      return own.answer().text();
    }
  }
}
