package dev.gorkie.bench;

import dev.gorkie.local.aws.Code;
import dev.gorkie.local.aws.Credentials;
import dev.gorkie.local.aws.FunctionSettings;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.aws.LocalAws;
import dev.gorkie.way.FunctionZip;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// How long Slack waits for its 200: the first event of a process, which has to start for it, and thousands more, one after the other,
/// through a gateway and the runtime's wire; each is signed, and handed to a worker. Beside the application stands a Quarkus that does
/// nothing with the same extensions, and the same receiver made with Bolt for JavaScript.
final class AcknowledgePart implements Part {

  private static final String SECRET = "signing-secret";
  private static final String INGRESS = "bench-ingress";
  private static final String WORKER = "bench-worker";
  private static final String FLOOR = "bare Quarkus";
  private static final String BOLT = "Bolt for JavaScript";
  private static final Path LOG = Path.of("target", "bench", "acknowledge.log");
  private static final double COLD_MS_MOST = 100;
  private static final double COLD_BESIDE_FLOOR_MOST = 2;
  private static final double COLD_BESIDE_BOLT_LEAST = 5;
  private static final double WARM_MS_MOST = 50;
  private static final String COLD = ": first acknowledged";
  private static final String WARM = ": warm";
  private static final String MEMORY = ": memory after all";
  private static final String DEPLOYED = ": what is deployed";
  private static final double NANOS_PER_MS = 1e6;
  private static final int AT_ONCE = 8;

  /// @param baseline what it is compared with, by name
  /// @param folder where all lies that is deployed
  private record Receiver(
      String name, Optional<String> baseline, List<String> command, Path folder) {}

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private int events;

  @Override
  public String name() {
    return "acknowledge";
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var settings =
        new LocalAws.Settings(
            0, "eu-central-1", new Credentials("AKIDLOCAL", "key", Optional.empty()), 1);
    Files.deleteIfExists(LOG);
    try (var aws = LocalAws.start(settings)) {
      aws.deploy(FunctionSettings.of(WORKER, new Code.Here((_, _) -> "{}")).concurrency(AT_ONCE));
      for (var receiver : receivers()) {
        measure(aws, receiver, size.of("starts", 3, 61), size.of("events", 500, 10_000), figures);
      }
    }
    figures.remark(
        "From the request at the gateway to its answer; for a first one the process starts with the"
            + " request. Bolt for JavaScript runs on Node 24, by a loop that asks the runtime's"
            + " wire as Lambda's own does.");
  }

  /// Those that were built; the baselines first.
  private static List<Receiver> receivers() throws IOException, InterruptedException {
    var receivers = new ArrayList<Receiver>();
    add(receivers, FLOOR + ", JVM", Optional.empty(), Path.of("target/bench/floor/function.zip"));
    add(
        receivers,
        FLOOR + ", native",
        Optional.empty(),
        Path.of("target/bench/floor-native/function.zip"));
    var bolt = Optional.ofNullable(System.getenv("BENCH_BOLT")).map(Path::of);
    if (bolt.isPresent()) {
      var node =
          Path.of(Objects.requireNonNull(System.getenv("GORKIE"))).resolve("bin/node").toString();
      var runtime = bolt.get().resolve("runtime.mjs").toString();
      var receiver = bolt.get().resolve("receiver.mjs").toString();
      receivers.add(
          new Receiver(BOLT, Optional.empty(), List.of(node, runtime, receiver), bolt.get()));
    }
    add(
        receivers,
        "Gorkie, JVM",
        Optional.of(FLOOR + ", JVM"),
        Path.of("target-lambda/function.zip"));
    add(
        receivers,
        "Gorkie, native",
        Optional.of(FLOOR + ", native"),
        Path.of("target-lambda-native/function.zip"));
    return receivers;
  }

  private static void add(
      List<Receiver> receivers, String name, Optional<String> baseline, Path zip)
      throws IOException, InterruptedException {
    if (Files.exists(zip)) {
      var function = FunctionZip.unpacked(zip);
      var command = function.program(Map.of(), LOG).command();
      receivers.add(new Receiver(name, baseline, command, function.directory()));
    }
  }

  private void measure(LocalAws aws, Receiver receiver, int starts, int times, Figures figures)
      throws IOException, InterruptedException {
    var first = new ArrayList<Double>();
    for (var start = 0; start < starts; start++) {
      var function = deploy(aws, receiver);
      try (var gateway = gateway(aws, function)) {
        first.add(millis(gateway.url()));
      }
    }
    var function = deploy(aws, receiver);
    try (var gateway = gateway(aws, function)) {
      millis(gateway.url());
      var after = memoryMb(function);
      var warm = new ArrayList<Double>();
      for (var event = 0; event < times; event++) {
        warm.add(millis(gateway.url()));
      }
      add(figures, receiver, COLD, Figure.Unit.MS, first);
      add(figures, receiver, WARM, Figure.Unit.MS, warm);
      add(figures, receiver, ": memory after the first", Figure.Unit.MB, List.of(after));
      add(figures, receiver, MEMORY, Figure.Unit.MB, List.of(memoryMb(function)));
      add(figures, receiver, DEPLOYED, Figure.Unit.MB, List.of(sizeMb(receiver)));
    }
  }

  private static void add(
      Figures figures,
      Receiver receiver,
      String what,
      Figure.Unit unit,
      List<? extends Number> values) {
    var figure = Figure.of(receiver.name() + what, unit, values);
    if (receiver.name().startsWith("Gorkie")) {
      figure =
          receiver
              .baseline()
              .map(it -> it + what)
              .filter(it -> figures.find(it).isPresent())
              .map(figure::beside)
              .orElse(figure);
      if (what.equals(WARM)) {
        figure = figure.goalOfMost(WARM_MS_MOST);
      } else if (receiver.name().endsWith("native")) {
        figure = withGoal(figure, what, receiver, figures);
      }
    }
    figures.add(figure);
  }

  /// What a start may take, and how large it may be for that, are matters of what others take and are.
  private static Figure withGoal(Figure figure, String what, Receiver receiver, Figures figures) {
    if (what.equals(COLD)) {
      var floor = receiver.baseline().flatMap(it -> median(figures, it + COLD));
      median(figures, BOLT + COLD)
          .ifPresent(
              bolt ->
                  figures.add(
                      Figure.of(
                              receiver.name() + COLD + ", beside Bolt",
                              Figure.Unit.FASTER,
                              bolt / figure.spread().p50())
                          .goal(COLD_BESIDE_BOLT_LEAST)));
      return figure.goal(
          floor
              .map(it -> Math.min(COLD_MS_MOST, it * COLD_BESIDE_FLOOR_MOST))
              .orElse(COLD_MS_MOST));
    }
    return what.equals(DEPLOYED) || what.equals(MEMORY)
        ? median(figures, BOLT + what).map(figure::goal).orElse(figure)
        : figure;
  }

  private static Optional<Double> median(Figures figures, String name) {
    return figures.find(name).map(it -> it.spread().p50());
  }

  /// In the place of the one before, whose process ends.
  private static LambdaFunction deploy(LocalAws aws, Receiver receiver) {
    var environment =
        Map.of(
            "GORKIE_ROLE", "ingress",
            "GORKIE_WORKER_FUNCTION", WORKER,
            "SLACK_SIGNING_SECRET", SECRET);
    return aws.deploy(
        FunctionSettings.of(INGRESS, new Code.Program(receiver.command(), environment, LOG))
            .concurrency(1));
  }

  private static Gateway gateway(LocalAws aws, LambdaFunction function) {
    return aws.gateway(0, Map.of("POST /slack/events", function), Gateway.Bodies.BY_TYPE);
  }

  private double millis(URI gateway) throws IOException, InterruptedException {
    var body = event();
    var timestamp = Long.toString(Instant.now().getEpochSecond());
    var request =
        HttpRequest.newBuilder(gateway.resolve("/slack/events"))
            .header("Content-Type", "application/json")
            .header("X-Slack-Request-Timestamp", timestamp)
            .header("X-Slack-Signature", signature(timestamp, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    var began = System.nanoTime();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    var took = System.nanoTime() - began;
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(answer.statusCode() + " " + answer.body() + "; " + LOG + " says why");
    }
    return took / NANOS_PER_MS;
  }

  private byte[] event() {
    events++;
    var ts = "1700000000.%06d".formatted(events);
    var event =
        new JsonObject()
            .put("type", "app_mention")
            .put("user", "U1")
            .put("channel", "C1")
            .put("ts", ts)
            .put("event_ts", ts)
            .put("text", "<@U2> how long does this take?");
    return new JsonObject()
        .put("type", "event_callback")
        .put("team_id", "T1")
        .put("api_app_id", "A1")
        .put("event_id", "Ev" + events)
        .put("event", event)
        .encode()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String signature(String timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), mac.getAlgorithm()));
      mac.update(("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8));
      return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static double memoryMb(LambdaFunction function) throws IOException {
    return Load.memory(function.processes().getFirst()).orElse(0L);
  }

  private static double sizeMb(Receiver receiver) throws IOException {
    try (var files = Files.walk(receiver.folder())) {
      var bytes = 0L;
      // What Java keeps of loaded classes is made at the first start and not deployed.
      for (var file :
          files
              .filter(Files::isRegularFile)
              .filter(it -> !it.toString().endsWith(".jsa"))
              .toList()) {
        bytes += Files.size(file);
      }
      return bytes / 1e6;
    }
  }
}
