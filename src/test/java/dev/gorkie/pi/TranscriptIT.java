package dev.gorkie.pi;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What Pi really said, thinned as the keeper thins it, comes to what people are told.
class TranscriptIT {

  private static final String THINNED = "src/test/sandbox/thinned.mjs";
  private static final String RECORDED = "src/test/resources/transcripts/pi-0.87.1-%s.jsonl";

  /// A line is a turn: where it was recorded, what it had asked, its tools, its answer, its outcome with steps and tokens.
  /// A tool has succeeded (+), failed (!), shown a file (>) or not ended (?).
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          abort               | m1       | ''                                              | ''                            | stopped 0 0
          abort               | m2       | !bash echo begun; sleep 30                      | ''                            | stopped 1 1020
          abort               | m2 m3    | !bash echo begun; sleep 30                      | ''                            | stopped 1 1020
          errors-retry        | m1       | ''                                              | ''                            | MODEL_REFUSED 0 0
          errors-retry        | m2       | ''                                              | At last.                      | done 0 1020
          errors-retry        | m3       | ''                                              | ''                            | MODEL_FAILED 0 0
          no-model            | m1       | ''                                              | ''                            | NO_MODEL 0 0
          parallel-tools      | m1       | +bash sleep 1; echo slow +bash echo fast        | Slow and fast.                | done 2 2040
          queue               | m1 m3 m4 | +bash sleep 1; echo ok                          | Ok, and steered. Followed up. | done 1 3060
          queue               | m2       | ''                                              | ''                            | REFUSED 0 0
          resume-1-killed     | m1       | ''                                              | Hello.                        | done 0 1020
          resume-1-killed     | m2       | ?bash echo begun; sleep 30                      | ''                            | none
          resume-2-after-kill | m3       | ''                                              | It was cut off.               | done 0 1020
          rpc-errors          | s1       | ''                                              | ''                            | none
          showfile            | m1       | +write output/report.md >output/report.md       | Here it is.                   | done 2 3060
          showfile            | m2       | !showFile output/missing.md                     | There is none.                | done 1 2040
          two-tools           | m1       | +bash echo one; echo two +write output/note.txt | Both **done**: 1, 2.          | done 2 3060
          """)
  void a_recorded_turn_comes_to_its_tools_its_answer_and_its_outcome(
      String transcript, String asked, String tools, String answer, String outcome)
      throws Exception {
    var journal = Image.run(Path.of(THINNED), RECORDED.formatted(transcript));

    var told = told(List.of(asked.split(" ")), new String(journal, StandardCharsets.UTF_8));

    assertEquals(tools, tools(told));
    assertEquals(answer, answer(told));
    assertEquals(outcome, outcome(told));
    assertEquals(answer, said(told));
  }

  /// As a turn listens, until it hears that what it asked is finished.
  private static List<PiEvent> told(List<String> asked, String journal) {
    var fold = new Fold();
    asked.forEach(fold::expect);
    var told = new ArrayList<PiEvent>();
    for (var record : journal.split("\n")) {
      var event = fold.take(record.getBytes(StandardCharsets.UTF_8));
      told.add(event);
      if (event instanceof PiEvent.Finished) {
        break;
      }
    }
    return told;
  }

  private static String tools(List<PiEvent> told) {
    var rows = new LinkedHashMap<String, String>();
    for (var event : told) {
      switch (event) {
        case PiEvent.ToolStarted(var call, var use) ->
            rows.put(call, "?" + use.tool() + " " + use.subject().orElse(""));
        case PiEvent.ToolEnded(var call, var failed, _) ->
            rows.computeIfPresent(call, (_, row) -> (failed ? "!" : "+") + row.substring(1));
        case PiEvent.FileShown(var call, var path, _) -> rows.put(call, ">" + path);
        default -> {}
      }
    }
    return String.join(" ", rows.values());
  }

  private static String answer(List<PiEvent> told) {
    return told.stream()
        .map(event -> event instanceof PiEvent.Answered(var text, _) ? text : "")
        .filter(text -> !text.isEmpty())
        .collect(joining(" "));
  }

  /// The same from its pieces, without those that were taken back.
  private static String said(List<PiEvent> told) {
    var whole = new ArrayList<String>();
    var open = new StringBuilder();
    for (var event : told) {
      switch (event) {
        case PiEvent.Said(var text) -> open.append(text);
        case PiEvent.Answered _ -> {
          whole.add(open.toString());
          open.setLength(0);
        }
        case PiEvent.Remarked _, PiEvent.TakenBack _ -> open.setLength(0);
        default -> {}
      }
    }
    return String.join(" ", whole);
  }

  private static String outcome(List<PiEvent> told) {
    if (!(told.getLast() instanceof PiEvent.Finished(var outcome))) {
      return "none";
    }
    var name =
        switch (outcome) {
          case Outcome.Done _ -> "done";
          case Outcome.Aborted _ -> "stopped";
          case Outcome.Failed(var failure, _) -> failure.name();
        };
    return name + " " + outcome.usage().steps() + " " + outcome.usage().tokens();
  }
}
