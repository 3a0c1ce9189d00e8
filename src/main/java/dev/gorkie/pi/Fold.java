package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What the records so far come to. Fed with the same records from the same first offset it says the same again.
final class Fold {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SHOW_FILE = "showFile";
  // It becomes part of a command's id, which is a file's name.
  private static final Pattern DIALOGUE = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final int ARGUMENTS_MAX = 8;

  // Records are made by code that a model runs. What is kept of them for a run's length has a
  // bound.
  private static final int OPEN_CALLS_MAX = 1_000;
  private static final int RECORDED_MAX = 10_000;
  // A call of a model that costs more tokens than this there is none.
  private static final long TOKENS_MAX = 1_000_000_000;
  // Pi waits for a minute at the most before it tries again.
  private static final Duration RETRY_MAX = Duration.ofMinutes(10);
  private static final Duration LIMIT_MAX = Duration.ofDays(1);
  private static final long ATTEMPTS_MAX = 100;
  // What a question of the extension holds, and what a person reads of it.
  private static final int WORD_CHARACTERS_MAX = 6_000;
  private static final int SHOWN_CHARACTERS_MAX = 2_000;

  /// Commands of ours whose words have not yet become part of the conversation.
  private final Set<String> expected = new LinkedHashSet<>();

  /// Commands that the keeper has written down and so will not forget.
  private final Set<String> recorded = new HashSet<>();

  // What comes before the first command of ours belongs to somebody else's turn.
  private boolean ours;
  private final Set<String> showing = new HashSet<>();
  // Tools by the calls that have begun and not ended.
  private final Map<String, String> working = new HashMap<>();
  // The same for those about whose call nobody was asked for leave yet.
  private final Map<String, String> mayAsk = new LinkedHashMap<>();
  // What each call may still want of the host, of which it wants one thing.
  private final Map<String, List<String>> mayWant = new LinkedHashMap<>();
  private boolean running;
  private boolean compacting;
  private boolean begun;
  private boolean displayed = true;
  // Stops of ours that the keeper may hear before anything else of ours.
  private final Set<String> stops = new HashSet<>();
  // The command that ended the run, when one did.
  private Optional<String> stop = Optional.empty();
  private Last last = new Last("", "");
  private String lost = "";
  private Optional<Duration> limit = Optional.empty();
  private long steps;
  private long tokens;
  private double cost;

  private record Last(String stopReason, String error) {}

  void expect(String command) {
    expected.add(command);
  }

  void expectStop(String command) {
    stops.add(command);
  }

  boolean isRecorded(String command) {
    return recorded.contains(command);
  }

  /// These words are given to Pi anew, under another id.
  void forget(String command) {
    expected.remove(command);
  }

  /// Whether Pi has said or done anything since the first record.
  boolean hasBegun() {
    return begun;
  }

  /// Whether files may lie where those are that are to be shown at the end of a run.
  boolean mayDisplay() {
    return displayed;
  }

  /// Whether it is no wonder that Pi says nothing.
  boolean isWorking() {
    return compacting || !working.isEmpty();
  }

  PiEvent take(byte[] record) {
    var read = Json.read(record);
    if (read.isEmpty()) {
      return new PiEvent.Unknown("no JSON");
    }
    var node = read.get();
    if (!node.isObject()) {
      return new PiEvent.Unknown("no object");
    }
    var type = node.path("type").text();
    return switch (type) {
      case "keeper_boot" -> booting();
      case "keeper_ready" -> ready(node);
      case "keeper_command" -> commanded(node);
      case "keeper_refused" -> refused(node);
      case "keeper_forced" -> new PiEvent.BegunAnew(node.path("fence").number());
      case "keeper_trouble" -> new PiEvent.Trouble(node.path("reason").text());
      case "response" -> response(node);
      default -> ours ? ofOurTurn(type, node) : new PiEvent.Unknown(type);
    };
  }

  private PiEvent ofOurTurn(String type, Json node) {
    return switch (type) {
      case "keeper_exit" -> exited(node);
      case "keeper_limit" -> {
        var most = Bounds.seconds(node.path("seconds").number(), LIMIT_MAX);
        limit = Optional.of(most);
        yield new PiEvent.LimitReached(most);
      }
      case "agent_start" -> {
        running = true;
        displayed = true;
        yield new PiEvent.Began();
      }
      case "message_update" -> update(node.path("assistantMessageEvent"));
      case "message_end" -> ended(node.path("message"));
      case "tool_execution_start" -> toolStarted(node);
      case "tool_execution_update" ->
          new PiEvent.ToolMoved(call(node), text(node.path("partialResult").path("content")));
      case "tool_execution_end" -> toolEnded(node);
      case "extension_ui_request" -> asked(node);
      case "auto_retry_start" ->
          new PiEvent.Retrying(
              Bounds.count(node.path("attempt").number(), ATTEMPTS_MAX),
              Bounds.count(node.path("maxAttempts").number(), ATTEMPTS_MAX),
              Bounds.millis(node.path("delayMs").number(), RETRY_MAX));
      case "compaction_start" -> {
        compacting = true;
        yield new PiEvent.Compacting();
      }
      case "compaction_end" -> {
        compacting = false;
        count(node.path("result").path("usage"));
        yield new PiEvent.Unknown(type);
      }
      case "agent_settled" -> settled(node);
      default -> new PiEvent.Unknown(type);
    };
  }

  /// Anything may be asked by anybody who can write to Pi's output: what has not our extension's form is nothing, and nothing is what
  /// no call of a tool has to ask.
  private PiEvent asked(Json node) {
    var id = node.path("id").text();
    var kind = node.path("method").text() + " " + node.path("title").text();
    if (!DIALOGUE.matcher(id).matches()) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    var asked =
        switch (kind) {
          case "input gorkie:tool" ->
              Json.read(node.path("placeholder").text()).map(it -> toolAsked(id, it));
          case "confirm gorkie:permission" ->
              Json.read(node.path("message").text()).map(it -> permissionAsked(id, it));
          default -> Optional.<PiEvent>empty();
        };
    return asked.orElse(new PiEvent.Unknown("extension_ui_request"));
  }

  private PiEvent toolAsked(String id, Json question) {
    var name = question.path("name").text();
    if (!isWanted(name)) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    var args = new HashMap<String, String>();
    question
        .path("args")
        .members(
            (argument, value) -> {
              if (args.size() < ARGUMENTS_MAX && value.isScalar()) {
                args.put(argument, start(value.text(), WORD_CHARACTERS_MAX));
              }
            });
    return new PiEvent.ToolAsked(id, name, args);
  }

  private boolean isWanted(String name) {
    var call =
        mayWant.entrySet().stream()
            .filter(open -> open.getValue().contains(name))
            .map(Map.Entry::getKey)
            .findFirst();
    call.ifPresent(mayWant::remove);
    return call.isPresent();
  }

  /// What of the host's a tool needs, where it is not the host's as a whole.
  private static List<String> wants(String tool, Json args) {
    return switch (tool) {
      case "bash" -> args.path("background").isTrue(false) ? List.of("startJob") : List.of();
      case "async_status" -> List.of("jobStatus", "jobTold");
      default -> List.of(tool);
    };
  }

  private PiEvent permissionAsked(String id, Json question) {
    var call = Bounds.id(question.path("call").text());
    var tool = question.path("tool").text();
    if (!mayAsk.remove(call, tool)) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    var text = question.path("text").text();
    var shown = start(text, SHOWN_CHARACTERS_MAX);
    var more = Bounds.count(question.path("more").number(), Integer.MAX_VALUE);
    return new PiEvent.PermissionAsked(
        id, call, tool, shown, more + (text.length() - shown.length()));
  }

  private static String start(String text, int charactersMax) {
    return text.substring(0, Math.min(text.length(), charactersMax));
  }

  private static PiEvent ready(Json node) {
    var model = node.path("model").text();
    return new PiEvent.Ready(
        node.path("boot").text(),
        Bounds.count(node.path("messages").number(), Long.MAX_VALUE),
        model.isEmpty() || model.equals("unknown") ? Optional.empty() : Optional.of(model));
  }

  private PiEvent commanded(Json node) {
    var id = node.path("id").text();
    if (recorded.size() < RECORDED_MAX) {
      recorded.add(id);
    }
    ours |= expected.contains(id);
    var isOurStop =
        node.path("command").text().equals("keeper_stop") && (ours || stops.contains(id));
    if (!isOurStop) {
      return new PiEvent.Unknown("keeper_command");
    }
    stop = stop.or(() -> Optional.of(id));
    return stoppedIfIdle();
  }

  /// A run that is under way ends by itself now, and says so.
  private PiEvent stoppedIfIdle() {
    return stop.isPresent() && !running && expected.isEmpty()
        ? finishedByStop()
        : new PiEvent.Unknown("keeper_stop");
  }

  private PiEvent finishedByStop() {
    return new PiEvent.Finished(new Outcome.Aborted(stop.orElse(""), usage()));
  }

  private PiEvent refused(Json node) {
    var id = node.path("id").text();
    if (!expected.contains(id)) {
      return new PiEvent.Unknown("keeper_refused");
    }
    return switch (node.path("reason").text()) {
      case "fence" -> new PiEvent.TakenOver(node.path("fence").number());
      case "stopped" -> {
        expected.remove(id);
        yield stoppedIfIdle();
      }
      case "not_started" -> failed(id, PiFailure.DOES_NOT_START);
      case "lost" -> {
        lost = node.path("session").text();
        yield new PiEvent.Unknown("keeper_refused");
      }
      default -> failed(id, PiFailure.REFUSED);
    };
  }

  /// Whether a command was refused because Pi does not find what was said in this session.
  boolean isLost(String session) {
    return lost.equals(session);
  }

  /// A keeper that was killed could not write down that Pi is gone: its successor's first record says it.
  private PiEvent booting() {
    return isGiven() ? gone("the keeper was killed") : new PiEvent.Booting();
  }

  private PiEvent exited(Json node) {
    running |= node.path("running").isTrue(false);
    return gone(Bounds.exit(node.path("signal"), node.path("code")));
  }

  /// Whether Pi has something of ours in hand.
  private boolean isGiven() {
    return running || expected.stream().anyMatch(recorded::contains);
  }

  private PiEvent gone(String how) {
    var inRun = isGiven();
    running = false;
    compacting = false;
    allEnded();
    if (stop.isPresent()) {
      return finishedByStop();
    }
    return new PiEvent.Exited(inRun, how);
  }

  /// A provider's errors never come this way: a prompt that fails here was not taken at all.
  private PiEvent response(Json node) {
    if (node.path("command").text().equals("compact")) {
      return new PiEvent.Compacted(node.path("id").text(), node.path("success").isTrue(false));
    }
    var id = node.path("id").text();
    if (node.path("success").isTrue(true) || !expected.contains(id)) {
      return new PiEvent.Replied(id);
    }
    var failure = PiFailure.ofProvider(node.path("error").text());
    return failed(id, failure == PiFailure.MODEL_FAILED ? PiFailure.REFUSED : failure);
  }

  private PiEvent update(Json event) {
    if (!event.path("type").text().equals("text_delta")) {
      return new PiEvent.Unknown("message_update");
    }
    begun = true;
    return new PiEvent.Said(event.path("delta").text());
  }

  private PiEvent ended(Json message) {
    return switch (message.path("role").text()) {
      case "user" -> heard(message);
      case "assistant" -> spoken(message);
      default -> new PiEvent.Unknown("message_end");
    };
  }

  private PiEvent heard(Json message) {
    var command = message.path("command").text();
    if (!expected.remove(command) && command.isEmpty()) {
      // The keeper could not tell whose words these are; then they are those of the oldest command
      // it gave.
      expected.stream().filter(recorded::contains).findFirst().ifPresent(expected::remove);
    }
    return new PiEvent.Unknown("message_end");
  }

  private void count(Json usage) {
    tokens += Bounds.count(usage.path("totalTokens").number(), TOKENS_MAX);
    cost = Bounds.plus(cost, usage.path("cost").path("total").decimal());
  }

  private PiEvent spoken(Json message) {
    last = new Last(message.path("stopReason").text(), message.path("errorMessage").text());
    var text = text(message.path("content"));
    begun |= !text.isEmpty();
    count(message.path("usage"));
    return switch (last.stopReason()) {
      case "stop" -> new PiEvent.Answered(text, false);
      case "length" -> new PiEvent.Answered(text, true);
      case "toolUse" -> new PiEvent.Remarked(text);
      default -> new PiEvent.TakenBack();
    };
  }

  private PiEvent toolStarted(Json node) {
    steps++;
    begun = true;
    var tool = node.path("toolName").text();
    if (working.size() < OPEN_CALLS_MAX && working.put(call(node), tool) == null) {
      mayAsk.put(call(node), tool);
      mayWant.put(call(node), wants(tool, node.path("args")));
    }
    if (tool.equals(SHOW_FILE) && showing.size() < OPEN_CALLS_MAX) {
      showing.add(call(node));
    }
    var args = node.path("args");
    return new PiEvent.ToolStarted(
        call(node),
        new ToolUse(
            tool, word(args, "status"), word(args, "command").or(() -> word(args, "path"))));
  }

  private PiEvent toolEnded(Json node) {
    working.remove(call(node));
    mayAsk.remove(call(node));
    mayWant.remove(call(node));
    var failed = node.path("isError").isTrue(false);
    var result = node.path("result");
    if (showing.remove(call(node)) && !failed) {
      var details = result.path("details");
      return new PiEvent.FileShown(
          call(node), details.path("path").text(), details.path("title").text());
    }
    return new PiEvent.ToolEnded(call(node), failed, text(result.path("content")));
  }

  private PiEvent settled(Json node) {
    // A keeper of an older deployment does not say.
    displayed = node.path("displayed").number(1) > 0;
    running = false;
    allEnded();
    if (stop.isPresent()) {
      return finishedByStop();
    }
    if (limit.isPresent()) {
      // Pi was ended with whatever it had been given.
      expected.removeIf(recorded::contains);
      if (expected.isEmpty()) {
        return finished(PiFailure.RUN_TOO_LONG);
      }
      limit = Optional.empty();
    }
    if (!expected.isEmpty()) {
      // Something of ours came too late for this run; Pi begins another one with it.
      return new PiEvent.Unknown("agent_settled");
    }
    return switch (last.stopReason()) {
      case "stop", "length" -> new PiEvent.Finished(new Outcome.Done(usage()));
      case "aborted" -> finishedByStop();
      case "error" -> finished(PiFailure.ofProvider(last.error()));
      default -> finished(PiFailure.CUT_OFF);
    };
  }

  private void allEnded() {
    working.clear();
    mayAsk.clear();
    mayWant.clear();
  }

  /// Nothing comes of this command any more.
  private PiEvent failed(String id, PiFailure failure) {
    expected.remove(id);
    return finished(failure);
  }

  private PiEvent finished(PiFailure failure) {
    return new PiEvent.Finished(new Outcome.Failed(failure, usage()));
  }

  Outcome.Usage usage() {
    return new Outcome.Usage(steps, tokens, cost);
  }

  private static String call(Json node) {
    return Bounds.id(node.path("toolCallId").text());
  }

  private static Optional<String> word(Json args, String name) {
    var value = args.path(name);
    return value.isText() && !value.text().isBlank() ? Optional.of(value.text()) : Optional.empty();
  }

  private static String text(Json content) {
    if (content.isText()) {
      return content.text();
    }
    var texts = new ArrayList<String>(1);
    for (var block : content) {
      if (block.path("type").text().equals("text")) {
        texts.add(block.path("text").text());
      }
    }
    return texts.size() == 1 ? texts.getFirst() : String.join("", texts);
  }

  /// A line of JSON for the keeper.
  static String line(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Maps of strings are always JSON", e);
    }
  }
}
