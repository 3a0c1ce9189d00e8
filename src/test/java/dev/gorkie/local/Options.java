package dev.gorkie.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a world is to be like.
///
/// @param directory what belongs to this world lies here; made when it is not there
/// @param image what a sandbox knows as `$GORKIE`
/// @param firstPort of five in a row; 0 for any that are free
/// @param events where the application takes Slack's events
/// @param hurry what waits of minutes and hours are divided by
/// @param atOnce whether a machine, or a word on a terminal, is there as soon as it is asked for
/// @param model the settings of a real model, which the application gets instead of the local one's; empty for none
/// @param slack those of a real workspace, likewise
public record Options(
    Path directory,
    Path image,
    int firstPort,
    URI events,
    int hurry,
    boolean atOnce,
    Map<String, String> model,
    Map<String, String> slack) {

  static final List<String> MODEL = List.of("MODEL_BASE_URL", "MODEL_ID", "MODEL_API_KEY");

  // A bot token alone stands in many an environment, and nothing can be heard with it.
  private static final String APP_TOKEN = "SLACK_APP_TOKEN";
  private static final String BOT_TOKEN = "SLACK_BOT_TOKEN";
  private static final String API_URL = "SLACK_API_URL";

  static final String OTHER_PORTS =
      "End what listens there, or name another first of five: make dev PORT=4601";
  static final String OTHER_APPLICATION_PORT =
      "Gorkie is to listen there. End what does, or name another: make dev QUARKUS_HTTP_PORT=8081";

  private static final int FIRST_PORT = 4501;
  private static final int PORTS = 5;
  private static final int PORT_MAX = 65_535;
  private static final int APPLICATION_PORT = 8080;

  public Options {
    directory = directory.toAbsolutePath().normalize();
    model = Map.copyOf(model);
    slack = Map.copyOf(slack);
  }

  /// For a test: free ports, and nobody who takes events until Slack is told whom to bring them.
  public static Options inside(Path directory, Path image) {
    return new Options(directory, image, 0, eventsAt(9), 1, false, Map.of(), Map.of());
  }

  public Options events(URI newEvents) {
    return new Options(directory, image, firstPort, newEvents, hurry, atOnce, model, slack);
  }

  public Options hurry(int newHurry) {
    return new Options(directory, image, firstPort, events, newHurry, atOnce, model, slack);
  }

  /// What takes its time at Daytona takes none here.
  public Options withMachinesAtOnce() {
    return new Options(directory, image, firstPort, events, hurry, true, model, slack);
  }

  /// As `make` sets it: `GORKIE`, and if need be `WORLD_PORT`, `QUARKUS_HTTP_PORT`, a real model's three, a real
  /// workspace's two.
  static Options from(Map<String, String> environment, Path directory) {
    var image = environment.get("GORKIE");
    if (image == null || image.isEmpty()) {
      throw new IllegalArgumentException(
          "GORKIE is not set: it is the folder of the sandboxes' image. \"make world\" sees to"
              + " it.");
    }
    return new Options(
        directory,
        Path.of(image),
        port("PORT", environment.getOrDefault("WORLD_PORT", ""), FIRST_PORT, PORT_MAX - PORTS + 1),
        eventsAt(
            port(
                "QUARKUS_HTTP_PORT",
                environment.getOrDefault("QUARKUS_HTTP_PORT", ""),
                APPLICATION_PORT,
                PORT_MAX)),
        1,
        false,
        model(environment),
        slack(environment));
  }

  int port(int place) {
    return firstPort == 0 ? 0 : firstPort + place;
  }

  private static Map<String, String> model(Map<String, String> environment) {
    var model = new TreeMap<>(environment);
    model.keySet().retainAll(MODEL);
    model.values().removeIf(String::isEmpty);
    for (var name : MODEL) {
      if (!model.isEmpty() && !model.containsKey(name)) {
        throw new IllegalArgumentException(
            "%s is missing. A real model takes %s; the demonstration none of them."
                .formatted(name, String.join(", ", MODEL)));
      }
    }
    return model;
  }

  private static Map<String, String> slack(Map<String, String> environment) {
    if (environment.getOrDefault(APP_TOKEN, "").isEmpty()) {
      return Map.of();
    }
    if (environment.getOrDefault(BOT_TOKEN, "").isEmpty()) {
      throw new IllegalArgumentException(
          "%s is missing. A real workspace takes %s and %s; the local Slack neither of them."
              .formatted(BOT_TOKEN, APP_TOKEN, BOT_TOKEN));
    }
    return Map.of(
        APP_TOKEN,
        environment.getOrDefault(APP_TOKEN, ""),
        BOT_TOKEN,
        environment.getOrDefault(BOT_TOKEN, ""),
        API_URL,
        Optional.of(environment.getOrDefault(API_URL, ""))
            .filter(url -> !url.isEmpty())
            .orElse("https://slack.com/api/"));
  }

  private static int port(String name, String given, int usual, int most) {
    if (given.isEmpty()) {
      return usual;
    }
    // Six digits and more are no port, and may be no number either.
    var port = given.matches("[0-9]{1,5}") ? Integer.parseInt(given) : 0;
    if (port < 1 || port > most) {
      throw new IllegalArgumentException(
          "%s is to be a number from 1 to %d, not %s.".formatted(name, most, given));
    }
    return port;
  }

  private static URI eventsAt(int port) {
    return URI.create("http://127.0.0.1:" + port + "/slack/events");
  }
}
