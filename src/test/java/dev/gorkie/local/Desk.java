package dev.gorkie.local;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A person's place in the local Slack, at the command line: says something, and shows a thread.
///
/// What is meant stands in `GORKIE_TEXT`, `GORKIE_USER`, `GORKIE_CHANNEL`, `GORKIE_THREAD`, `GORKIE_FILE` and `GORKIE_FOLLOW`,
/// as `make` was given it.
final class Desk {

  private static final Path LAST_THREAD = Path.of("target", "last-thread");
  // A first start compiles and fetches.
  static final Duration KNOCK_MOST = Duration.ofMinutes(1);
  private static final String LAST = "last";
  private static final String USER = "ada";
  private static final String CHANNEL = "general";
  private static final String MENTION = "@gorkie";

  private final Map<String, String> given;
  private final Line line;
  private final Knock knock;
  private final Path lastThread;
  private final PrintStream out;

  Desk(Map<String, String> given, Line line, Knock knock, Path lastThread, PrintStream out) {
    this.given = Map.copyOf(given);
    this.line = line;
    this.knock = knock;
    this.lastThread = lastThread;
    this.out = out;
  }

  public static void main(String[] arguments) throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var line = new Line(slack(), http);
      var knock = new Knock(http, System.err, KNOCK_MOST);
      new Desk(System.getenv(), line, knock, LAST_THREAD, System.out).run(arguments[0]);
    } catch (ConnectException gone) {
      System.err.println(
          "The local world does not answer. Start it with \"make dev\" or \"make world\".");
      System.exit(2);
    } catch (IOException | IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
    }
  }

  void run(String command) throws IOException, InterruptedException {
    switch (command) {
      case "say" -> say();
      case "thread" -> show();
      default -> throw new IllegalArgumentException("A desk can say and thread, not " + command);
    }
  }

  private void say() throws IOException, InterruptedException {
    var message = message();
    var _ = knock.at(line.application());
    var ts = line.say(message);
    var channel = message.getString("channel");
    Files.createDirectories(lastThread.toAbsolutePath().getParent());
    Files.writeString(lastThread, channel + " " + message.getString("thread_ts", ts) + "\n");
    out.println("channel " + channel + "  ts " + ts);
  }

  /// Without a channel or a thread it is said in a channel everybody is in, and to Gorkie.
  private JsonObject message() throws IOException {
    var message = JsonObject.of("user", given("USER").orElse(USER));
    var text = given("TEXT").orElse("");
    if (given("THREAD").isPresent()) {
      var place = place();
      message.put("channel", place.channel()).put("thread_ts", place.ts());
    } else {
      message.put("channel", given("CHANNEL").orElse(CHANNEL));
      text = given("CHANNEL").isPresent() || text.contains(MENTION) ? text : MENTION + " " + text;
    }
    if (given("FILE").isPresent()) {
      message.put("files", JsonArray.of(file(Path.of(given("FILE").get()).toAbsolutePath())));
    } else if (given("TEXT").isEmpty()) {
      throw new IllegalArgumentException("Say what? make say TEXT=\"…\"");
    }
    return message.put("text", text);
  }

  private static JsonObject file(Path path) {
    if (!Files.isReadable(path)) {
      throw new IllegalArgumentException("There is no file " + path);
    }
    return JsonObject.of("name", Objects.toString(path.getFileName()), "path", path.toString());
  }

  private void show() throws IOException, InterruptedException {
    if (given("FOLLOW").isPresent()) {
      var console = Optional.ofNullable(System.console());
      var terminal = console.isPresent() && console.get().isTerminal();
      new Window(line, place(), out, terminal).follow();
    } else {
      out.print(line.page(place()));
    }
  }

  /// The thread that was named, in the channel that was named; what was not is that of the last one.
  private Line.Place place() throws IOException {
    var last =
        Files.exists(lastThread) ? Files.readString(lastThread).strip().split(" ") : new String[0];
    var ts = given("THREAD").filter(thread -> !thread.equals(LAST));
    if (last.length == 0 && ts.isEmpty()) {
      throw new IllegalArgumentException("Nothing was said yet. Begin with make say TEXT=\"…\"");
    }
    var channel = given("CHANNEL").orElseGet(() -> last.length == 0 ? CHANNEL : last[0]);
    return new Line.Place(channel, ts.orElseGet(() -> last[1]));
  }

  private Optional<String> given(String name) {
    return Optional.ofNullable(given.get("GORKIE_" + name)).filter(value -> !value.isBlank());
  }

  private static URI slack() {
    if (!Files.exists(World.ENVIRONMENT)) {
      throw new IllegalArgumentException(
          "No local world is running here. Start one with \"make dev\" or \"make world\".");
    }
    var api = Optional.ofNullable(Environment.read(World.ENVIRONMENT).get("SLACK_API_URL"));
    return URI.create(api.orElseThrow());
  }
}
