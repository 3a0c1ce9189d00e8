package dev.gorkie.local.page;

import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.daytona.State;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Backstage;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.Delivery;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.LocalSlack;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;

/// What is behind a thread: how it was delivered, what the tables say, which machine it has; and the levers.
public final class Behind implements Backstage {

  /// True as soon as the application listens, false when it does not for a while.
  @FunctionalInterface
  public interface Knocking {
    boolean knock() throws InterruptedException;
  }

  private static final int DELIVERIES_MAX = 24;
  private static final int CALLS_MAX = 24;
  private static final String KEEPER = "keeper.mjs keep";

  private final LocalSlack slack;
  private final LocalDaytona daytona;
  private final Tables tables;
  private final Workers workers;
  private final Knocking knocking;
  private final Duration busy;

  /// @param busy for how long Slack takes no call when it is made to
  public Behind(
      LocalSlack slack,
      LocalDaytona daytona,
      DataSource database,
      Workers workers,
      Knocking knocking,
      Duration busy) {
    this.slack = slack;
    this.daytona = daytona;
    this.tables = new Tables(database);
    this.workers = workers;
    this.knocking = knocking;
    this.busy = busy;
  }

  @Override
  public boolean knock() throws InterruptedException {
    return knocking.knock();
  }

  @Override
  public JsonObject look(Channel channel, String rootTs) throws SQLException, IOException {
    var seen =
        new JsonObject()
            .put("deliveries", deliveries(channel, rootTs))
            .put("calls", calls(channel, rootTs))
            .put("tables", tables.of(slack.teamId(), channel.id(), rootTs))
            .put("busy_until", slack.busyUntil().map(Object::toString).orElse(""));
    var machine = machine(channel, rootTs);
    if (machine.isPresent()) {
      var view = machine.get();
      seen.put("sandbox", sandbox(view))
          .put("journal", new Journal(view.home()).tail())
          .put("files", new WorkFolder(view.work()).files());
    }
    return seen;
  }

  @Override
  public byte[] peek(Channel channel, String rootTs, String path) throws SQLException, IOException {
    return new WorkFolder(needed(channel, rootTs).work()).peek(path);
  }

  private Optional<LocalDaytona.View> machine(Channel channel, String rootTs) throws SQLException {
    return tables.sandbox(slack.teamId(), channel.id(), rootTs).flatMap(daytona::sandbox);
  }

  private LocalDaytona.View needed(Channel channel, String rootTs) throws SQLException {
    return machine(channel, rootTs)
        .orElseThrow(() -> new IllegalArgumentException("This thread has no computer yet."));
  }

  private JsonArray deliveries(Channel channel, String rootTs) {
    var ofThread =
        slack.deliveries().stream().filter(one -> concerns(one, channel, rootTs)).toList();
    return newest(ofThread, DELIVERIES_MAX)
        .map(Behind::delivery)
        .collect(JsonArray::new, JsonArray::add, JsonArray::addAll);
  }

  private static boolean concerns(Delivery delivery, Channel channel, String rootTs) {
    var event = delivery.event();
    var message = event.getJsonObject("message", event);
    var item = event.getJsonObject("item", new JsonObject());
    var container = delivery.body().getJsonObject("container", new JsonObject());
    var channels =
        Stream.of(
            event.getString("channel"),
            item.getString("channel"),
            container.getString("channel_id"));
    var threads =
        Stream.of(
            message.getString("thread_ts", message.getString("ts")),
            event.getJsonObject("previous_message", new JsonObject()).getString("thread_ts"),
            event.getString("deleted_ts"),
            item.getString("ts"),
            container.getString("thread_ts"));
    return channels.anyMatch(channel.id()::equals) && threads.anyMatch(rootTs::equals);
  }

  private static JsonObject delivery(Delivery delivery) {
    var event = delivery.event();
    return new JsonObject()
        .put("id", delivery.id())
        .put("type", delivery.type())
        .put("subtype", event.getString("subtype", ""))
        .put(
            "by_app",
            event.containsKey("bot_id")
                || event.getJsonObject("message", new JsonObject()).containsKey("bot_id"))
        .put("attempt", delivery.attempt())
        .put("reason", delivery.retryReason().orElse(""))
        .put("status", delivery.status().orElse(0))
        .put("failure", delivery.failure().orElse(""))
        .put("at", delivery.at().toString())
        .put("took_ms", delivery.took().toMillis());
  }

  private JsonArray calls(Channel channel, String rootTs) {
    var inThread =
        slack.thread(channel.id(), rootTs).messages().stream()
            .map(message -> message.ts())
            .toList();
    Predicate<ApiCall> isAbout =
        call ->
            Stream.of("channel", "channel_id")
                    .anyMatch(field -> call.field(field).equals(channel.id()))
                && Stream.of("thread_ts", "ts", "timestamp")
                    .anyMatch(
                        field ->
                            call.field(field).equals(rootTs)
                                || inThread.contains(call.field(field)));
    return newest(slack.calls().stream().filter(isAbout).toList(), CALLS_MAX)
        .map(Behind::call)
        .collect(JsonArray::new, JsonArray::add, JsonArray::addAll);
  }

  private static JsonObject call(ApiCall call) {
    return new JsonObject()
        .put("at", call.at().toString())
        .put("method", call.method())
        .put("status", call.status())
        .put("error", call.ok() ? "" : call.answer().getString("error", ""))
        .put("heard", call.heard());
  }

  private JsonObject sandbox(LocalDaytona.View view) {
    var processes =
        view.processes().stream()
            .map(
                process ->
                    new JsonObject()
                        .put("pid", process.pid())
                        .put("command", process.info().commandLine().orElse("")))
            .toList();
    var terminals =
        daytona.terminals(view.id()).stream()
            .map(
                terminal ->
                    new JsonObject()
                        .put("id", terminal.id())
                        .put("open", terminal.open())
                        .put("at", terminal.created().toString())
                        .put("tail", terminal.tail()))
            .toList();
    return new JsonObject()
        .put("id", view.id())
        .put("name", view.name())
        .put("state", view.state().name().toLowerCase(Locale.ROOT))
        .put("processes", new JsonArray(processes))
        .put("terminals", new JsonArray(terminals));
  }

  private static <T> Stream<T> newest(List<T> all, int most) {
    return all.subList(Math.max(0, all.size() - most), all.size()).reversed().stream();
  }

  @Override
  public String pull(String lever, Channel channel, String rootTs) throws Exception {
    return switch (lever) {
      case "deliver-again" -> deliverAgain(channel, rootTs);
      case "lose-answer" -> {
        slack.fail("chat.postMessage", 1, new Fault.AnswerLost());
        yield "The next message Gorkie posts arrives, and it will not hear that it did.";
      }
      case "busy" -> {
        slack.busy(busy);
        yield "For %d s Slack answers every call with 429.".formatted(busy.toSeconds());
      }
      case "expire" -> {
        var ended = slack.expireStreams(channel.id(), rootTs);
        yield ended == 0
            ? "Nothing is being written here."
            : "Slack has ended what was being written; it takes no more of it.";
      }
      case "heal" -> {
        slack.heal();
        daytona.faults().clear();
        yield "Nothing goes wrong any more.";
      }
      case "cut" -> {
        daytona.cutTerminals(needed(channel, rootTs).id());
        yield "Every connection to a terminal of this thread's computer is cut.";
      }
      case "stop" ->
          put(channel, rootTs, State.STOPPED, "Daytona has stopped this thread's computer.");
      case "archive" ->
          put(channel, rootTs, State.ARCHIVED, "Daytona has archived this thread's computer.");
      case "delete" -> {
        daytona.delete(needed(channel, rootTs).id());
        yield "This thread's computer is deleted, and its files with it.";
      }
      case "kill-pi" -> killPi(channel, rootTs);
      case "kill-keeper" -> {
        keeper(channel, rootTs).destroyForcibly();
        yield "The keeper is killed. Pi is an orphan now.";
      }
      case "kill-worker" -> killWorker();
      default -> throw new IllegalArgumentException("There is no lever " + lever);
    };
  }

  private String deliverAgain(Channel channel, String rootTs) {
    var last =
        slack.deliveries().stream()
            .filter(one -> concerns(one, channel, rootTs) && !one.event().isEmpty())
            .filter(
                one -> !one.event().containsKey("bot_id") && !one.event().containsKey("subtype"))
            .reduce((_, later) -> later)
            .orElseThrow(() -> new IllegalArgumentException("Nothing was delivered here yet."));
    slack.deliverAgain(last.id());
    return "Slack delivers " + last.id() + " once more. Nothing is to come of it.";
  }

  private String put(Channel channel, String rootTs, State state, String said) throws Exception {
    daytona.setState(needed(channel, rootTs).id(), state);
    return said;
  }

  private ProcessHandle keeper(Channel channel, String rootTs) throws SQLException {
    return needed(channel, rootTs).processes().stream()
        .filter(process -> process.info().commandLine().orElse("").endsWith(KEEPER))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("No keeper runs on this thread's computer."));
  }

  // Pi calls itself so, and is the keeper's child; its own children are what it works with.
  private String killPi(Channel channel, String rootTs) throws SQLException {
    var children = keeper(channel, rootTs).children().toList();
    if (children.isEmpty()) {
      throw new IllegalArgumentException("Pi does not run on this thread's computer.");
    }
    children.forEach(ProcessHandle::destroyForcibly);
    return "Pi is killed.";
  }

  private String killWorker() throws IOException {
    if (workers.kill() == 0) {
      throw new IllegalArgumentException(
          "No worker of this world was found to kill; on Linux one is.");
    }
    return "The worker is killed. Another one takes over when its lease has lapsed.";
  }
}
