package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
  // The same for those of whose call nothing was asked yet.
  private final Map<String, String> mayAsk = new LinkedHashMap<>();
  private boolean running;
  private boolean compacting;
  private boolean begun;
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

  /// Whether it is no wonder that Pi says nothing.
  boolean isWorking() {
    return compacting || !working.isEmpty();
  }

  PiEvent take(byte[] record) {
    JsonNode node;
    try {
      node = Bounds.JSON.readTree(record);
    } catch (IOException _) {
      return new PiEvent.Unknown("no JSON");
    }
    if (!node.isObject()) {
      return new PiEvent.Unknown("no object");
    }
    var type = node.path("type").asText();
    return switch (type) {
      case "keeper_boot" -> booting();
      case "keeper_ready" -> ready(node);
      case "keeper_command" -> commanded(node);
      case "keeper_refused" -> refused(node);
      case "keeper_forced" -> new PiEvent.BegunAnew(node.path("fence").asLong());
      case "keeper_trouble" -> new PiEvent.Trouble(node.path("reason").asText());
      case "response" -> response(node);
      default -> ours ? ofOurTurn(type, node) : new PiEvent.Unknown(type);
    };
  }

  private PiEvent ofOurTurn(String type, JsonNode node) {
    return switch (type) {
      case "keeper_exit" -> exited(node);
      case "keeper_limit" -> {
        var most = Bounds.seconds(node.path("seconds"), LIMIT_MAX);
        limit = Optional.of(most);
        yield new PiEvent.LimitReached(most);
      }
      case "agent_start" -> {
        running = true;
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
              Bounds.count(node.path("attempt"), ATTEMPTS_MAX),
              Bounds.count(node.path("maxAttempts"), ATTEMPTS_MAX),
              Bounds.millis(node.path("delayMs"), RETRY_MAX));
      case "compaction_start" -> {
        compacting = true;
        yield new PiEvent.Compacting();
      }
      case "compaction_end" -> {
        compacting = false;
        count(node.path("result").path("usage"));
        yield new PiEvent.Unknown(type);
      }
      case "agent_settled" -> settled();
      default -> new PiEvent.Unknown(type);
    };
  }

  /// Anything may be asked by anybody who can write to Pi's output: what has not our extension's form is nothing, and nothing is what
  /// no call of a tool has to ask.
  private PiEvent asked(JsonNode node) {
    var id = node.path("id").asText();
    var kind = node.path("method").asText() + " " + node.path("title").asText();
    if (!DIALOGUE.matcher(id).matches()) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    try {
      return switch (kind) {
        case "input gorkie:tool" ->
            toolAsked(id, Bounds.JSON.readTree(node.path("placeholder").asText()));
        case "confirm gorkie:permission" ->
            permissionAsked(id, Bounds.JSON.readTree(node.path("message").asText()));
        default -> new PiEvent.Unknown("extension_ui_request");
      };
    } catch (IOException _) {
      return new PiEvent.Unknown("extension_ui_request");
    }
  }

  private PiEvent toolAsked(String id, JsonNode question) {
    var name = question.path("name").asText();
    if (!mayAsk.values().remove(name)) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    var args = new HashMap<String, String>();
    question
        .path("args")
        .properties()
        .forEach(
            arg -> {
              if (args.size() < ARGUMENTS_MAX && arg.getValue().isValueNode()) {
                args.put(arg.getKey(), start(arg.getValue().asText(), WORD_CHARACTERS_MAX));
              }
            });
    return new PiEvent.ToolAsked(id, name, args);
  }

  private PiEvent permissionAsked(String id, JsonNode question) {
    var call = Bounds.id(question.path("call"));
    var tool = question.path("tool").asText();
    if (!mayAsk.remove(call, tool)) {
      return new PiEvent.Unknown("extension_ui_request");
    }
    var text = question.path("text").asText();
    var shown = start(text, SHOWN_CHARACTERS_MAX);
    var more = Bounds.count(question.path("more"), Integer.MAX_VALUE);
    return new PiEvent.PermissionAsked(
        id, call, tool, shown, more + (text.length() - shown.length()));
  }

  private static String start(String text, int charactersMax) {
    return text.substring(0, Math.min(text.length(), charactersMax));
  }

  private static PiEvent ready(JsonNode node) {
    var model = node.path("model").asText();
    return new PiEvent.Ready(
        node.path("boot").asText(),
        Bounds.count(node.path("messages"), Long.MAX_VALUE),
        model.isEmpty() || model.equals("unknown") ? Optional.empty() : Optional.of(model));
  }

  private PiEvent commanded(JsonNode node) {
    var id = node.path("id").asText();
    if (recorded.size() < RECORDED_MAX) {
      recorded.add(id);
    }
    ours |= expected.contains(id);
    var isOurStop =
        node.path("command").asText().equals("keeper_stop") && (ours || stops.contains(id));
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

  private PiEvent refused(JsonNode node) {
    var id = node.path("id").asText();
    if (!expected.contains(id)) {
      return new PiEvent.Unknown("keeper_refused");
    }
    return switch (node.path("reason").asText()) {
      case "fence" -> new PiEvent.TakenOver(node.path("fence").asLong());
      case "stopped" -> {
        expected.remove(id);
        yield stoppedIfIdle();
      }
      case "not_started" -> finished(PiFailure.DOES_NOT_START);
      case "lost" -> {
        lost = node.path("session").asText();
        yield new PiEvent.Unknown("keeper_refused");
      }
      default -> finished(PiFailure.REFUSED);
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

  private PiEvent exited(JsonNode node) {
    running |= node.path("running").asBoolean();
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
  private PiEvent response(JsonNode node) {
    if (node.path("command").asText().equals("compact")) {
      return new PiEvent.Compacted(node.path("id").asText(), node.path("success").asBoolean());
    }
    if (node.path("success").asBoolean(true) || !expected.contains(node.path("id").asText())) {
      return new PiEvent.Replied(node.path("id").asText());
    }
    var failure = PiFailure.ofProvider(node.path("error").asText());
    return finished(failure == PiFailure.MODEL_FAILED ? PiFailure.REFUSED : failure);
  }

  private PiEvent update(JsonNode event) {
    if (!event.path("type").asText().equals("text_delta")) {
      return new PiEvent.Unknown("message_update");
    }
    begun = true;
    return new PiEvent.Said(event.path("delta").asText());
  }

  private PiEvent ended(JsonNode message) {
    return switch (message.path("role").asText()) {
      case "user" -> heard(message);
      case "assistant" -> spoken(message);
      default -> new PiEvent.Unknown("message_end");
    };
  }

  private PiEvent heard(JsonNode message) {
    var command = message.path("command").asText();
    if (!expected.remove(command) && command.isEmpty()) {
      // The keeper could not tell whose words these are; then they are those of the oldest command
      // it gave.
      expected.stream().filter(recorded::contains).findFirst().ifPresent(expected::remove);
    }
    return new PiEvent.Unknown("message_end");
  }

  private void count(JsonNode usage) {
    tokens += Bounds.count(usage.path("totalTokens"), TOKENS_MAX);
    cost = Bounds.plus(cost, usage.path("cost").path("total"));
  }

  private PiEvent spoken(JsonNode message) {
    last = new Last(message.path("stopReason").asText(), message.path("errorMessage").asText());
    begun |= !text(message.path("content")).isEmpty();
    count(message.path("usage"));
    var text = text(message.path("content"));
    return switch (last.stopReason()) {
      case "stop" -> new PiEvent.Answered(text, false);
      case "length" -> new PiEvent.Answered(text, true);
      case "toolUse" -> new PiEvent.Remarked(text);
      default -> new PiEvent.TakenBack();
    };
  }

  private PiEvent toolStarted(JsonNode node) {
    steps++;
    begun = true;
    var tool = node.path("toolName").asText();
    if (working.size() < OPEN_CALLS_MAX && working.put(call(node), tool) == null) {
      mayAsk.put(call(node), tool);
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

  private PiEvent toolEnded(JsonNode node) {
    working.remove(call(node));
    mayAsk.remove(call(node));
    var failed = node.path("isError").asBoolean();
    var result = node.path("result");
    if (showing.remove(call(node)) && !failed) {
      var details = result.path("details");
      return new PiEvent.FileShown(
          call(node), details.path("path").asText(), details.path("title").asText());
    }
    return new PiEvent.ToolEnded(call(node), failed, text(result.path("content")));
  }

  private PiEvent settled() {
    running = false;
    allEnded();
    if (stop.isPresent()) {
      return finishedByStop();
    }
    if (limit.isPresent()) {
      return finished(PiFailure.RUN_TOO_LONG);
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
  }

  private PiEvent finished(PiFailure failure) {
    return new PiEvent.Finished(new Outcome.Failed(failure, usage()));
  }

  Outcome.Usage usage() {
    return new Outcome.Usage(steps, tokens, cost);
  }

  private static String call(JsonNode node) {
    return Bounds.id(node.path("toolCallId"));
  }

  private static Optional<String> word(JsonNode args, String name) {
    var value = args.path(name);
    return value.isTextual() && !value.asText().isBlank()
        ? Optional.of(value.asText())
        : Optional.empty();
  }

  private static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    var text = new StringBuilder();
    for (var block : content) {
      if (block.path("type").asText().equals("text")) {
        text.append(block.path("text").asText());
      }
    }
    return text.toString();
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
