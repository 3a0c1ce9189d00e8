package dev.gorkie.local.slack;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The same the Java methods offer, under `/_local/` as JSON, for whoever is in another process.
final class LocalDoor {
  private static final Duration AWAIT_USUAL = Duration.ofSeconds(30);
  private final LocalSlack slack;
  // Bytes that wait for the message they belong to, by the name they were given.
  private final Map<String, Path> attached = new ConcurrentHashMap<>();

  LocalDoor(LocalSlack slack) {
    this.slack = slack;
  }

  /// A person who is sent here agrees at once.
  Answer agree(Map<String, String> asked) {
    return Answer.text(302, "").with("location", slack.agree(asked).toString());
  }

  EventStream.Source feed() {
    return slack.feed();
  }

  /// What is behind a thread, whenever it has changed.
  EventStream.Source behind(Map<String, String> query) {
    var given = new JsonObject();
    query.forEach((name, value) -> given.put(name, value));
    var channel = slack.channel(channel(given));
    var ts = text(given, "ts");
    return new Looking(() -> slack.backstage().look(channel, ts));
  }

  /// Takes bytes that a message will name.
  Answer attach(Path content) {
    var name = content.getFileName().toString();
    attached.put(name, content);
    return Answer.json(200, new JsonObject().put("attached", name));
  }

  /// @param command what follows `/_local/`
  /// @param query the address's arguments, for what is only read
  Answer answer(String command, Map<String, String> query, Buffer body) throws Exception {
    var given = body.length() == 0 ? new JsonObject() : body.toJsonObject();
    query.forEach((name, value) -> given.put(name, value));
    return switch (command) {
      case "thread.txt" -> Answer.text(200, thread(given).plain());
      case "file" -> file(given);
      case "peek" -> peek(given);
      default -> Answer.json(200, json(command, given));
    };
  }

  private JsonObject json(String command, JsonObject given) throws Exception {
    return switch (command) {
      case "say" -> said(slack.say(utterance(given, text(given, "channel"))));
      case "direct" ->
          said(slack.say(utterance(given, "@" + slack.person(text(given, "user")).name())));
      case "edit" ->
          done(
              () ->
                  slack.edit(
                      channel(given), text(given, "ts"), text(given, "text"), options(given)));
      case "delete" -> done(() -> slack.delete(channel(given), text(given, "ts"), options(given)));
      case "react" ->
          done(
              () ->
                  slack.react(
                      channel(given),
                      text(given, "ts"),
                      text(given, "user"),
                      text(given, "emoji")));
      case "unreact" ->
          done(
              () ->
                  slack.unreact(
                      channel(given),
                      text(given, "ts"),
                      text(given, "user"),
                      text(given, "emoji")));
      case "click" ->
          ViewJson.delivery(
              slack.use(
                  channel(given),
                  text(given, "ts"),
                  text(given, "user"),
                  text(given, "action_id"),
                  values(given)));
      case "shortcut" ->
          ViewJson.delivery(
              slack.shortcut(
                  channel(given),
                  text(given, "ts"),
                  text(given, "user"),
                  text(given, "callback_id")));
      case "open-home" -> done(() -> slack.openHome(text(given, "user")));
      case "use-home" ->
          ViewJson.delivery(
              slack.useHome(text(given, "user"), text(given, "action_id"), values(given)));
      case "command" ->
          ViewJson.delivery(
              slack.command(
                  channel(given),
                  text(given, "user"),
                  text(given, "command"),
                  given.getString("text", "")));
      case "stop" ->
          done(
              () -> slack.pressStop(channel(given), text(given, "thread_ts"), text(given, "user")));
      case "thread" -> ViewJson.thread(thread(given));
      case "threads" ->
          list("threads", slack.threads(channel(given)).stream().map(ViewJson::thread));
      case "await" -> ViewJson.thread(await(given));
      case "open" ->
          new JsonObject()
              .put("channel", slack.channel("@" + slack.person(text(given, "user")).name()).id());
      case "knock" -> new JsonObject().put("listens", slack.backstage().knock());
      case "pull" ->
          new JsonObject()
              .put(
                  "done",
                  slack
                      .backstage()
                      .pull(
                          text(given, "lever"), slack.channel(channel(given)), text(given, "ts")));
      case "people" -> list("people", slack.people().stream().map(slack.wire()::person));
      case "channels" -> list("channels", slack.channels().stream().map(slack.wire()::channel));
      case "calls" ->
          list(
              "calls",
              slack.calls().stream()
                  .filter(call -> asked(given, "method", call.method()))
                  .map(ViewJson::call));
      case "violations" -> list("violations", slack.violations().stream().map(ViewJson::violation));
      case "deliveries" ->
          list(
              "deliveries",
              slack.deliveries().stream()
                  .filter(one -> asked(given, "type", one.type()))
                  .map(ViewJson::delivery));
      case "release" -> done(() -> slack.release(strings(given, "ts")));
      case "deliver-again" -> done(() -> slack.deliverAgain(text(given, "event_id")));
      case "deliver" -> done(() -> slack.deliver(given.getJsonObject("event"), options(given)));
      case "verify" -> ViewJson.delivery(slack.verifyUrl(text(given, "challenge")));
      case "app" -> new JsonObject().put("events", slack.events().toString());
      case "events" -> done(() -> slack.deliverTo(URI.create(text(given, "url"))));
      case "fail" ->
          done(() -> slack.fail(text(given, "method"), given.getInteger("times", 1), fault(given)));
      case "limit" ->
          done(
              () ->
                  slack.limit(
                      text(given, "method"),
                      given.getInteger("calls"),
                      Duration.ofSeconds(given.getInteger("seconds", 60))));
      case "tiers" -> done(slack::keepTiers);
      case "take-scope" -> done(() -> slack.takeScope(text(given, "scope")));
      case "heal" -> done(slack::heal);
      case "expire-streams" ->
          new JsonObject().put("ended", slack.expireStreams(channel(given), text(given, "ts")));
      case "allow-mentions" -> done(() -> slack.allowMentions(given.getBoolean("allowed", true)));
      case "page-max" -> done(() -> slack.pageMax(given.getInteger("messages")));
      default -> throw new IllegalArgumentException("There is no " + command);
    };
  }

  /// A message with one file, whose bytes came as the request's body.
  Answer upload(Map<String, String> query, Path content) {
    var given = new JsonObject();
    query.forEach((name, value) -> given.put(name, value));
    var file = new Upload(text(given, "name"), Upload.path(content).source(), false);
    return Answer.json(200, said(slack.say(utterance(given, text(given, "channel")).with(file))));
  }

  /// What stands in menus and fields, by action id.
  private static Map<String, String> values(JsonObject given) {
    return given.getJsonObject("values", new JsonObject()).stream()
        .collect(Collectors.toMap(Map.Entry::getKey, value -> String.valueOf(value.getValue())));
  }

  private static JsonObject said(String ts) {
    return new JsonObject().put("ts", ts);
  }

  private static JsonObject done(Runnable doing) {
    doing.run();
    return new JsonObject().put("done", true);
  }

  private static JsonObject list(String name, Stream<JsonObject> items) {
    return new JsonObject().put(name, new JsonArray(items.toList()));
  }

  private static boolean asked(JsonObject given, String field, String value) {
    return given.getString(field, value).equals(value);
  }

  private ThreadView thread(JsonObject given) {
    return slack.thread(channel(given), text(given, "ts"));
  }

  /// Waits until the app has said something, a file of the app is there, a status or a session's state is shown.
  private ThreadView await(JsonObject given) throws InterruptedException {
    Predicate<ThreadView> expected = thread -> !thread.byApp().isEmpty();
    if (given.containsKey("says")) {
      expected = thread -> thread.appSaid(text(given, "says"));
    } else if (given.containsKey("file")) {
      expected =
          thread ->
              thread.filesByApp().stream().anyMatch(one -> one.name().equals(text(given, "file")));
    } else if (given.containsKey("status")) {
      expected = thread -> thread.status().equals(Optional.of(text(given, "status")));
    } else if (given.containsKey("session")) {
      expected = thread -> thread.session().equals(Optional.of(text(given, "session")));
    }
    var seconds =
        Long.parseLong(String.valueOf(given.getValue("seconds", AWAIT_USUAL.toSeconds())));
    return slack.awaitThread(
        channel(given), text(given, "ts"), expected, Duration.ofSeconds(seconds));
  }

  private Answer file(JsonObject given) {
    if (!given.containsKey("channel")) {
      return anyFile(given);
    }
    var file =
        thread(given).messages().stream()
            .flatMap(message -> message.files().stream())
            .filter(one -> one.id().equals(text(given, "id")))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "No file " + text(given, "id") + " in the thread"));
    return Answer.file(file.mimeType(), file.content());
  }

  /// The beginning of a file of a thread's machine, always as text.
  private Answer peek(JsonObject given) throws Exception {
    var channel = slack.channel(channel(given));
    var bytes = slack.backstage().peek(channel, text(given, "ts"), text(given, "path"));
    return Page.guarded(Answer.bytes("text/plain; charset=utf-8", Buffer.buffer(bytes)));
  }

  /// Wherever it was shown, for the page.
  private Answer anyFile(JsonObject given) {
    var file = slack.file(text(given, "id"));
    var answer = Page.guarded(Answer.file(file.mimeType(), file.content()));
    return given.containsKey("download")
        ? answer.with("content-disposition", "attachment")
        : answer;
  }

  private Utterance utterance(JsonObject given, String channel) {
    var utterance =
        Utterance.in(channel, text(given, "user"), given.getString("text", ""))
            .delivered(options(given));
    if (given.containsKey("thread_ts")) {
      utterance = utterance.inThread(text(given, "thread_ts"));
    }
    for (var file : given.getJsonArray("files", new JsonArray())) {
      utterance = utterance.with(upload((JsonObject) file));
    }
    return utterance;
  }

  /// A file by its `text`, by what was `attached` before, by a `path` on this machine, or as so many `bytes` of noise.
  private Upload upload(JsonObject file) {
    var name = text(file, "name");
    if (file.containsKey("attached")) {
      var content =
          Optional.ofNullable(attached.get(text(file, "attached")))
              .orElseThrow(() -> new IllegalArgumentException(name + " was not attached"));
      return new Upload(name, Upload.path(content).source(), false);
    }
    if (file.containsKey("path")) {
      return new Upload(name, Upload.path(Path.of(text(file, "path"))).source(), false);
    }
    var upload =
        file.containsKey("bytes")
            ? Upload.generated(name, file.getLong("bytes"))
            : Upload.text(name, file.getString("text", ""));
    return file.getBoolean("foreign", false) ? upload.fromAnotherWorkspace() : upload;
  }

  private static DeliveryOptions options(JsonObject given) {
    var delivery = given.getJsonObject("delivery", new JsonObject());
    return new DeliveryOptions(
        delivery.getInteger("times", 1),
        DeliveryOptions.Copies.valueOf(delivery.getString("copies", "BOTH")),
        DeliveryOptions.Order.valueOf(delivery.getString("order", "TOGETHER")),
        Duration.ofMillis(delivery.getLong("delay_ms", 0L)),
        delivery.getInteger("lost", 0),
        delivery.getBoolean("held", false));
  }

  private static Fault fault(JsonObject given) {
    return switch (text(given, "fault")) {
      case "rate_limited" ->
          new Fault.RateLimited(Duration.ofSeconds(given.getLong("retry_after", 1L)));
      case "status" -> new Fault.Status(given.getInteger("status", 500));
      case "refused" -> new Fault.Refused(text(given, "error"));
      case "never_arrived" -> new Fault.NeverArrived();
      case "answer_lost" -> new Fault.AnswerLost();
      case "delayed" -> new Fault.Delayed(Duration.ofMillis(given.getLong("delay_ms", 1_000L)));
      default -> throw new IllegalArgumentException("There is no fault " + text(given, "fault"));
    };
  }

  private static String channel(JsonObject given) {
    return text(given, "channel");
  }

  private static String text(JsonObject given, String field) {
    return Optional.ofNullable(given.getString(field))
        .orElseThrow(() -> new IllegalArgumentException("There is no " + field));
  }

  private static String[] strings(JsonObject given, String field) {
    List<String> all =
        given.getJsonArray(field, new JsonArray()).stream().map(String::valueOf).toList();
    return all.toArray(String[]::new);
  }
}
