package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FoldTest {

  private static final String OURS =
      """
      {"type":"keeper_command","id":"turn-1","fence":7,"command":"prompt"}
      """;
  private static final String ASKED =
      OURS
          + """
          {"type":"response","command":"prompt","id":"turn-1","success":true}
          {"type":"agent_start"}
          {"type":"message_end","message":{"role":"user","command":"turn-1"}}
          """;

  @Test
  void a_run_with_a_tool_is_told_step_by_step_and_ends_with_its_answer() {
    var told =
        tell(
            ASKED
                + """
                {"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"Let me look."}}
                {"type":"message_end","message":{"role":"assistant","stopReason":"toolUse","content":[{"type":"text","text":"Let me look."}],"usage":{"totalTokens":100,"cost":{"total":0.25}}}}
                {"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"ls","status":"Looking around"}}
                {"type":"tool_execution_update","toolCallId":"c1","toolName":"bash","partialResult":{"content":[{"type":"text","text":"a"}]}}
                {"type":"tool_execution_end","toolCallId":"c1","toolName":"bash","isError":false,"result":{"content":[{"type":"text","text":"a.txt"}]}}
                {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"One "},{"type":"text","text":"file."}],"usage":{"totalTokens":20,"cost":{"total":0.5}}}}
                {"type":"agent_end","willRetry":false}
                {"type":"agent_settled"}
                """);

    assertEquals(
        List.of(
            new PiEvent.Began(),
            new PiEvent.Said("Let me look."),
            new PiEvent.Remarked("Let me look."),
            new PiEvent.ToolStarted(
                "c1", new ToolUse("bash", Optional.of("Looking around"), Optional.of("ls"))),
            new PiEvent.ToolMoved("c1", "a"),
            new PiEvent.ToolEnded("c1", false, "a.txt"),
            new PiEvent.Answered("One file.", false),
            new PiEvent.Finished(new Outcome.Done(new Outcome.Usage(1, 120, 0.75)))),
        told);
  }

  @Test
  void a_summary_of_the_conversation_costs_as_much_as_any_other_answer() {
    var told =
        tell(
            ASKED
                + """
                {"type":"compaction_start","reason":"threshold"}
                {"type":"compaction_end","reason":"threshold","result":{"tokensBefore":9000,"usage":{"totalTokens":300,"cost":{"total":0.5}}},"aborted":false}
                {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"Done."}],"usage":{"totalTokens":20,"cost":{"total":0.25}}}}
                {"type":"agent_settled"}
                """);

    assertEquals(
        new PiEvent.Finished(new Outcome.Done(new Outcome.Usage(0, 320, 0.75))), told.getLast());
  }

  @ParameterizedTest
  @CsvSource({
    "'\"displayed\":0', false",
    "'\"displayed\":2', true",
    "'\"by\":\"an older keeper\"', true"
  })
  void where_a_run_ended_with_nothing_to_be_shown_nobody_need_look(
      String told, boolean mayDisplay) {
    var fold = new Fold();
    fold.expect("turn-1");

    (ASKED + "{\"type\":\"agent_settled\"," + told + "}\n")
        .lines()
        .forEach(line -> fold.take(line.getBytes(StandardCharsets.UTF_8)));

    assertEquals(mayDisplay, fold.mayDisplay());
  }

  @Test
  void the_end_of_an_attempt_is_not_the_end_of_the_run() {
    var told =
        tell(
            ASKED
                + """
                {"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"Half an ans"}}
                {"type":"message_end","message":{"role":"assistant","stopReason":"error","errorMessage":"429 overloaded","content":[{"type":"text","text":"Half an ans"}]}}
                {"type":"agent_end","willRetry":true}
                {"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"429 overloaded"}
                {"type":"agent_start"}
                {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"Whole."}]}}
                {"type":"agent_end","willRetry":false}
                {"type":"agent_settled"}
                """);

    assertEquals(
        List.of(
            new PiEvent.Began(),
            new PiEvent.Said("Half an ans"),
            new PiEvent.TakenBack(),
            new PiEvent.Retrying(1, 3, Duration.ofSeconds(2)),
            new PiEvent.Began(),
            new PiEvent.Answered("Whole.", false),
            new PiEvent.Finished(new Outcome.Done(new Outcome.Usage(0, 0, 0)))),
        told);
  }

  @Test
  void a_settled_run_that_has_not_heard_us_is_not_ours() {
    var told =
        tell(
            """
            {"type":"keeper_command","id":"turn-1","fence":7,"command":"prompt"}
            {"type":"agent_settled"}
            {"type":"agent_start"}
            {"type":"message_end","message":{"role":"user","command":"turn-1"}}
            {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"Now."}]}}
            {"type":"agent_settled"}
            """);

    assertEquals(
        List.of(
            new PiEvent.Began(),
            new PiEvent.Answered("Now.", false),
            new PiEvent.Finished(new Outcome.Done(Outcome.Usage.NONE))),
        told);
  }

  @ParameterizedTest
  @CsvSource({
    "401 Invalid API key, MODEL_REFUSED",
    "402 You exceeded your current quota, OUT_OF_CREDIT",
    "429 Rate limit reached, OVERLOADED",
    "This model's maximum context length is 8192 tokens, TOO_LONG_FOR_MODEL",
    "'maximum context length is 128000 tokens, your messages resulted in 140123', TOO_LONG_FOR_MODEL",
    "prompt is too long: 205402 tokens > 200000 maximum, TOO_LONG_FOR_MODEL",
    "'ThrottlingException: Too many tokens, please wait before trying again.', OVERLOADED",
    "the request with id 84015036 failed, MODEL_FAILED",
    "529 overloaded_error, OVERLOADED",
    "Request timed out., MODEL_SLOW",
    "terminated, MODEL_FAILED",
    "No API key found for the selected model, NO_MODEL"
  })
  void a_providers_error_becomes_a_reason_for_people(String words, PiFailure expected) {
    var told =
        tell(
            ASKED
                + """
                {"type":"message_end","message":{"role":"assistant","stopReason":"error","errorMessage":"%s","content":[]}}
                {"type":"agent_settled"}
                """
                    .formatted(words));

    assertEquals(
        new PiEvent.Finished(new Outcome.Failed(expected, Outcome.Usage.NONE)), told.getLast());
  }

  @Test
  void a_prompt_that_pi_refuses_ends_the_turn_at_once() {
    var told =
        tell(
            """
            {"type":"keeper_command","id":"turn-1","fence":7,"command":"prompt"}
            {"type":"response","command":"prompt","id":"turn-1","success":false,"error":"Agent is already processing."}
            """);

    assertEquals(
        List.of(new PiEvent.Finished(new Outcome.Failed(PiFailure.REFUSED, Outcome.Usage.NONE))),
        told);
  }

  @Test
  void a_run_that_reached_its_limit_says_so_however_it_ended() {
    var told =
        tell(
            ASKED
                + """
                {"type":"keeper_limit","seconds":1200}
                {"type":"message_end","message":{"role":"assistant","stopReason":"error","errorMessage":"This operation was aborted","content":[]}}
                {"type":"agent_settled"}
                """);

    assertEquals(
        List.of(
            new PiEvent.LimitReached(Duration.ofMinutes(20)),
            new PiEvent.TakenBack(),
            new PiEvent.Finished(new Outcome.Failed(PiFailure.RUN_TOO_LONG, Outcome.Usage.NONE))),
        told.subList(1, told.size()));
  }

  @Test
  void what_pi_had_not_been_given_when_its_time_was_over_is_heard_in_a_run_of_its_own() {
    var fold = new Fold();
    fold.expect("turn-1");
    fold.expect("m-7");

    var told =
        tell(
            fold,
            ASKED
                + """
                {"type":"keeper_limit","seconds":1200}
                {"type":"agent_settled"}
                {"type":"keeper_command","id":"m-7","fence":7,"command":"prompt"}
                {"type":"agent_start"}
                {"type":"message_end","message":{"role":"user","command":"m-7"}}
                {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"Yes."}]}}
                {"type":"agent_settled"}
                """);

    assertEquals(
        List.of(new PiEvent.Finished(new Outcome.Done(Outcome.Usage.NONE))),
        told.stream().filter(PiEvent.Finished.class::isInstance).toList());
  }

  @Test
  void a_file_is_shown_only_for_a_call_that_was_begun_as_one() {
    var ended =
        """
        {"type":"tool_execution_end","toolCallId":"%s","toolName":"showFile","isError":false,"result":{"content":[],"details":{"path":"output/a.png","title":"A"}}}
        """;

    var told =
        tell(
            OURS
                + """
                {"type":"tool_execution_start","toolCallId":"c1","toolName":"showFile","args":{"path":"output/a.png","title":"A"}}
                """
                + ended.formatted("c1")
                + ended.formatted("c1")
                + ended.formatted("forged"));

    assertEquals(
        List.of(
            new PiEvent.FileShown("c1", "output/a.png", "A"),
            new PiEvent.ToolEnded("c1", false, ""),
            new PiEvent.ToolEnded("forged", false, "")),
        told.subList(1, told.size()));
  }

  @Test
  void a_refusal_for_an_older_fence_means_that_another_worker_has_the_thread() {
    assertEquals(
        List.of(new PiEvent.TakenOver(7)),
        tell(
            """
            {"type":"keeper_refused","id":"turn-1","fence":7,"highest":9,"reason":"fence"}
            {"type":"keeper_refused","id":"somebody's","fence":7,"highest":9,"reason":"fence"}
            """));
  }

  @Test
  void pi_gone_in_a_run_is_told_apart_from_pi_gone_between_two() {
    assertEquals(
        new PiEvent.Exited(false, "SIGKILL"),
        tell(ASKED
                + "{\"type\":\"agent_settled\"}\n"
                + "{\"type\":\"keeper_exit\",\"boot\":\"b\",\"signal\":\"SIGKILL\",\"running\":false}\n")
            .getLast());
    assertEquals(
        new PiEvent.Exited(true, "exit code 1"),
        tell(ASKED + "{\"type\":\"keeper_exit\",\"boot\":\"b\",\"code\":1,\"running\":true}\n")
            .getLast());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "\"text\"",
        "{",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"message_end\",\"message\":null}",
        "{\"type\":\"message_end\",\"message\":{\"role\":\"assistant\",\"stopReason\":{},\"content\":7}}",
        "{\"type\":\"tool_execution_end\"}",
        "{\"type\":\"keeper_ready\"}",
        "{\"type\":\"extension_ui_request\",\"method\":\"confirm\"}"
      })
  void a_record_of_any_shape_is_survived(String record) {
    var told = tell(OURS + record + "\n{\"type\":\"agent_start\"}\n");

    assertEquals(new PiEvent.Began(), told.getLast());
  }

  @Test
  void a_stop_ends_the_turn_when_the_run_has_settled_and_whatever_else_was_asked() {
    var told =
        tell(
            ASKED
                + """
                {"type":"keeper_command","id":"stop-9","fence":7,"command":"keeper_stop"}
                {"type":"message_end","message":{"role":"assistant","stopReason":"error","errorMessage":"This operation was aborted","content":[]}}
                {"type":"agent_settled"}
                """);

    assertEquals(
        new PiEvent.Finished(new Outcome.Aborted("stop-9", Outcome.Usage.NONE)), told.getLast());
  }

  @Test
  void a_stop_before_anything_was_given_ends_the_turn_at_once() {
    var fold = new Fold();
    fold.expect("turn-1");
    fold.expectStop("stop-9");

    var told =
        tell(
            fold,
            """
            {"type":"keeper_command","id":"stop-9","fence":7,"command":"keeper_stop"}
            {"type":"keeper_refused","id":"turn-1","fence":7,"highest":7,"reason":"stopped"}
            """);

    assertEquals(
        List.of(new PiEvent.Finished(new Outcome.Aborted("stop-9", Outcome.Usage.NONE))), told);
  }

  @Test
  void a_stop_after_words_that_came_to_nothing_waits_for_nothing_more() {
    var told =
        tell(
            OURS
                + """
                {"type":"response","id":"turn-1","success":false,"error":"no"}
                {"type":"keeper_command","id":"stop-9","fence":7,"command":"keeper_stop"}
                """);

    assertEquals(
        new PiEvent.Finished(new Outcome.Aborted("stop-9", Outcome.Usage.NONE)), told.getLast());
  }

  @Test
  void a_keeper_that_was_killed_in_mid_run_is_noticed_by_its_successors_first_record() {
    var told = tell(ASKED + "{\"type\":\"keeper_boot\",\"boot\":\"b2\"}\n");

    assertEquals(new PiEvent.Exited(true, "the keeper was killed"), told.getLast());
  }

  @Test
  void what_pi_took_with_it_may_be_said_again_only_where_nothing_had_begun() {
    var silent = fold(ASKED + "{\"type\":\"keeper_exit\",\"code\":1,\"running\":true}\n");
    var spoken =
        fold(
            ASKED
                + """
                {"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"Well"}}
                {"type":"keeper_exit","code":1,"running":true}
                """);
    var worked =
        fold(
            ASKED
                + """
                {"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{}}
                {"type":"keeper_exit","code":1,"running":true}
                """);

    assertFalse(silent.hasBegun());
    assertTrue(spoken.hasBegun());
    assertTrue(worked.hasBegun());
  }

  private static Fold fold(String records) {
    var fold = new Fold();
    fold.expect("turn-1");
    for (var record : records.split("\n")) {
      fold.take(record.getBytes(StandardCharsets.UTF_8));
    }
    return fold;
  }

  @Test
  void a_job_is_wanted_by_a_command_in_the_background_alone_and_once() {
    var wish =
        """
        {"type":"extension_ui_request","id":"d%s","method":"input","title":"gorkie:tool","placeholder":"{\\"name\\":\\"%s\\",\\"args\\":{}}"}
        """;
    var told =
        tell(
            ASKED
                + """
                {"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"ls"}}
                """
                + wish.formatted(1, "startJob")
                + """
                {"type":"tool_execution_start","toolCallId":"c2","toolName":"bash","args":{"command":"ls","background":true}}
                """
                + wish.formatted(2, "startJob")
                + wish.formatted(3, "startJob")
                + """
                {"type":"tool_execution_start","toolCallId":"c3","toolName":"async_status","args":{}}
                """
                + wish.formatted(4, "jobTold")
                + wish.formatted(5, "jobStatus"));

    assertEquals(
        List.of(
            new PiEvent.ToolAsked("d2", "startJob", Map.of()),
            new PiEvent.ToolAsked("d4", "jobTold", Map.of())),
        told.stream().filter(PiEvent.ToolAsked.class::isInstance).toList());
  }

  @Test
  void what_came_before_our_first_command_belongs_to_another_turn() {
    var told =
        tell(
            """
            {"type":"agent_start"}
            {"type":"keeper_command","id":"stop-1","fence":6,"command":"keeper_stop"}
            {"type":"tool_execution_start","toolCallId":"c0","toolName":"bash","args":{"command":"ls"}}
            {"type":"keeper_exit","code":1,"running":true}
            {"type":"agent_settled"}
            """
                + ASKED
                + """
                {"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"Ours."}]}}
                {"type":"agent_settled"}
                """);

    assertEquals(List.of(new PiEvent.Began()), told.subList(0, 1));
    assertInstanceOf(Outcome.Done.class, ((PiEvent.Finished) told.getLast()).outcome());
  }

  /// What is told, without what is not shown.
  private static List<PiEvent> tell(String records) {
    var fold = new Fold();
    fold.expect("turn-1");
    return tell(fold, records);
  }

  private static List<PiEvent> tell(Fold fold, String records) {
    var told = new ArrayList<PiEvent>();
    for (var record : records.split("\n")) {
      var event = fold.take(record.getBytes(StandardCharsets.UTF_8));
      if (!(event instanceof PiEvent.Unknown || event instanceof PiEvent.Replied)) {
        told.add(event);
      }
    }
    return told;
  }
}
