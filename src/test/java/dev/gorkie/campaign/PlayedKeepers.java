package dev.gorkie.campaign;

import dev.gorkie.local.daytona.Player;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Keeper and Pi of any number of sandboxes, played over the keeper's wire: a turn is some tools, one after the other, and an answer
/// that is said word by word.
public final class PlayedKeepers implements Player, AutoCloseable {

  private static final Pattern ATTACH =
      Pattern.compile(
          "'([0-9a-f-]+)' '([0-9a-f-]+)'; exec .* attach --fence (\\d+) --offset (\\d+)");
  private static final Duration BEAT = Duration.ofSeconds(5);
  private static final Duration WORD_EVERY = Duration.ofMillis(250);
  private static final Duration TOOL = Duration.ofSeconds(3);
  private static final Duration ANSWERING = Duration.ofSeconds(6);
  private static final String WORDS = "these are some words of a longer answer, ";

  private final Duration lasts;
  private final Duration answering;
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
  private final Map<String, Keeper> keepers = new ConcurrentHashMap<>();

  /// @param lasts how long each turn takes
  public PlayedKeepers(Duration lasts) {
    this(lasts, ANSWERING);
  }

  /// @param answering how long of that it speaks
  PlayedKeepers(Duration lasts, Duration answering) {
    this.lasts = lasts;
    this.answering = answering;
  }

  /// When Pi last came to an end in a sandbox.
  public Instant lastEnd(String sandbox) {
    return Objects.requireNonNull(keepers.get(sandbox)).ends.getLast();
  }

  /// How often Pi heard a message of this name in a sandbox.
  long heard(String sandbox, String name) {
    var keeper = keepers.get(sandbox);
    return keeper == null ? 0 : keeper.heard.stream().filter(name::equals).count();
  }

  /// For how long nobody listened between one worker and the next, while Pi went on.
  public List<Duration> gaps() {
    return keepers.values().stream().flatMap(keeper -> keeper.gaps.stream()).toList();
  }

  @Override
  public String execute(String sandbox, String command) {
    if (command.contains(" transcript ")) {
      return "{\"missing\":true}";
    }
    return command.contains(" display") ? "{\"files\":[],\"more\":0}" : "";
  }

  @Override
  public Keyboard open(String sandbox, Consumer<byte[]> screen) {
    return new Attached(keepers.computeIfAbsent(sandbox, _ -> new Keeper()), screen);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  /// One sandbox's journal, and who reads it.
  private final class Keeper {
    private final ByteArrayOutputStream journal = new ByteArrayOutputStream();
    private final List<Attached> readers = new ArrayList<>();
    private final List<Instant> ends = new CopyOnWriteArrayList<>();
    private final List<Duration> gaps = new CopyOnWriteArrayList<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Set<String> given = new HashSet<>();
    private long highestFence;
    private Optional<Instant> left = Optional.empty();
    private boolean isBooted;
    private boolean isRunning;

    synchronized int end() {
      return journal.size();
    }

    synchronized void read(Attached reader, int from) {
      var all = journal.toByteArray();
      readers.add(reader);
      left.ifPresent(since -> gaps.add(Duration.between(since, Instant.now())));
      left = Optional.empty();
      reader.show(new String(all, from, all.length - from, StandardCharsets.UTF_8));
    }

    synchronized void leave(Attached reader) {
      readers.remove(reader);
      left = isRunning && readers.isEmpty() ? Optional.of(Instant.now()) : Optional.empty();
    }

    synchronized void append(JsonObject record) {
      var line = record.encode() + "\n";
      journal.writeBytes(line.getBytes(StandardCharsets.UTF_8));
      readers.forEach(reader -> reader.show(line));
    }

    synchronized void boot(String session) {
      if (!isBooted) {
        isBooted = true;
        append(record("keeper_boot").put("boot", "b1").put("session", session));
        append(record("keeper_ready").put("boot", "b1").put("messages", 0).put("model", "played"));
      }
    }

    synchronized void raise(long fence) {
      highestFence = Math.max(highestFence, fence);
    }

    /// Each id once, and nothing from an older holder.
    synchronized void give(String id, JsonObject command, long fence) {
      if (given.contains(id)) {
        return;
      }
      if (fence < highestFence) {
        append(
            record("keeper_refused")
                .put("id", id)
                .put("fence", fence)
                .put("highest", highestFence)
                .put("reason", "fence"));
        return;
      }
      given.add(id);
      var type = command.getString("type");
      append(record("keeper_command").put("id", id).put("fence", fence).put("command", type));
      append(record("response").put("id", id).put("command", type).put("success", true));
      if (type.equals("prompt")) {
        run(id, names(command.getString("message", "")));
      }
    }

    private void run(String id, List<String> names) {
      heard.addAll(names);
      isRunning = true;
      append(record("agent_start"));
      append(message(new JsonObject().put("role", "user").put("command", id)));
      var working = lasts.minus(answering);
      var at = Duration.ZERO;
      for (var tool = 1; at.compareTo(working) < 0; tool++, at = at.plus(TOOL)) {
        tool(id + "-" + tool, at);
      }
      var first = at;
      for (; at.compareTo(lasts) < 0; at = at.plus(WORD_EVERY)) {
        var delta = at.equals(first) ? answer(names) + WORDS : WORDS;
        in(
            at,
            () ->
                append(
                    record("message_update")
                        .put(
                            "assistantMessageEvent",
                            new JsonObject()
                                .put("type", "text_delta")
                                .put("contentIndex", 0)
                                .put("delta", delta))));
      }
      in(lasts, () -> settle(names));
    }

    private void tool(String call, Duration at) {
      in(
          at,
          () ->
              append(
                  record("tool_execution_start")
                      .put("toolCallId", call)
                      .put("toolName", "bash")
                      .put(
                          "args",
                          new JsonObject().put("command", "make").put("status", "Making"))));
      in(
          at.plus(TOOL.dividedBy(2)),
          () ->
              append(
                  record("tool_execution_end")
                      .put("toolCallId", call)
                      .put("toolName", "bash")
                      .put("result", new JsonObject().put("content", text("made\n".repeat(100))))
                      .put("isError", false)));
    }

    private synchronized void settle(List<String> names) {
      isRunning = false;
      var words = (int) (answering.toMillis() / WORD_EVERY.toMillis());
      append(
          message(
              new JsonObject()
                  .put("role", "assistant")
                  .put("content", text(answer(names) + WORDS.repeat(words)))
                  .put("stopReason", "stop")
                  .put("usage", new JsonObject().put("totalTokens", 1_000))));
      append(record("agent_end"));
      append(record("agent_settled").put("displayed", 0));
      ends.add(Instant.now());
    }
  }

  /// What messages call themselves, where they do.
  private static List<String> names(String prompt) {
    return Judge.NAME.matcher(prompt).results().map(found -> found.group(1)).toList();
  }

  private static String answer(List<String> names) {
    return names.isEmpty() ? "" : "Answer to " + String.join(", ", names) + ". ";
  }

  private void in(Duration pause, Runnable what) {
    var _ = clock.schedule(what, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static JsonObject record(String type) {
    return new JsonObject().put("type", type);
  }

  private static JsonObject message(JsonObject message) {
    return record("message_end").put("message", message);
  }

  private static JsonArray text(String text) {
    return new JsonArray().add(record("text").put("text", text));
  }

  /// The attach program at one terminal, from the shell's line on.
  private final class Attached implements Keyboard {
    private final Keeper keeper;
    private final Consumer<byte[]> screen;
    private final StringBuilder typed = new StringBuilder();
    private Optional<ScheduledFuture<?>> beats = Optional.empty();
    private long fence;

    Attached(Keeper keeper, Consumer<byte[]> screen) {
      this.keeper = keeper;
      this.screen = screen;
    }

    @Override
    public synchronized void typed(byte[] bytes) {
      typed.append(new String(bytes, StandardCharsets.UTF_8));
      for (var end = typed.indexOf("\n"); end >= 0; end = typed.indexOf("\n")) {
        var line = typed.substring(0, end);
        typed.delete(0, end + 1);
        if (beats.isEmpty()) {
          attach(line);
        } else {
          obey(new JsonObject(line));
        }
      }
    }

    private void attach(String line) {
      var words = ATTACH.matcher(line);
      if (!words.find()) {
        throw new IllegalArgumentException("No keeper is started with “" + line + "”");
      }
      fence = Long.parseLong(words.group(3));
      var from = Math.min(Integer.parseInt(words.group(4)), keeper.end());
      var hello =
          new JsonObject()
              .put("protocol", 1)
              .put("boot", "b1")
              .put("fence", fence)
              .put("begin", 0)
              .put("end", keeper.end())
              .put("from", from);
      keeper.raise(fence);
      show(words.group(1) + words.group(2) + "\n" + note("hello", hello));
      keeper.read(this, from);
      beats =
          Optional.of(
              clock.scheduleAtFixedRate(
                  () -> show(note("beat", new JsonObject().put("end", keeper.end()).put("age", 1))),
                  BEAT.toMillis(),
                  BEAT.toMillis(),
                  TimeUnit.MILLISECONDS));
    }

    private void obey(JsonObject line) {
      if (line.containsKey("start")) {
        keeper.boot(line.getJsonObject("start").getString("session"));
      } else {
        var give = line.getJsonObject("give");
        show(note("taken", new JsonObject().put("id", give.getString("id"))));
        keeper.give(give.getString("id"), give.getJsonObject("command"), fence);
      }
    }

    private static String note(String name, JsonObject fields) {
      return "#" + new JsonObject().put(name, fields).encode() + "\n";
    }

    void show(String text) {
      screen.accept(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized void closed() {
      keeper.leave(this);
      beats.ifPresent(it -> it.cancel(false));
    }
  }
}
