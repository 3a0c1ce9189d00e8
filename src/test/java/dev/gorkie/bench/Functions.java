package dev.gorkie.bench;

import dev.gorkie.local.aws.FunctionSettings;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.way.FunctionZip;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/// The application as it is deployed: two functions, and of the second a process for each turn.
final class Functions {

  private static final String WORKER = "gorkie-worker";
  private static final String INGRESS = "gorkie-ingress";
  // For what goes on beside the turns, such as a wake that finds nothing to do.
  private static final int SPARE = 4;
  private static final Duration WARM_MOST = Duration.ofMinutes(5);
  private static final Path LOG = Path.of("target", "bench", "functions.log");

  private Functions() {}

  /// People write to them from now on.
  ///
  /// @param atOnce how many turns there are to be at once; so many processes are started already
  /// @param most how long an invocation may take
  /// @return the second function
  static LambdaFunction deploy(
      Installation installation, int atOnce, Duration most, Map<String, String> settings)
      throws IOException, InterruptedException {
    installation.migrate();
    var zip = FunctionZip.unpacked();
    var aws = installation.world().aws();
    var environment = installation.environment();
    var secret = Objects.requireNonNull(environment.remove("SLACK_SIGNING_SECRET"));
    environment.remove("GORKIE_DATABASE_MIGRATE_AT_START");
    environment.put("GORKIE_ROLE", "worker");
    environment.put("GORKIE_WORKER_FUNCTION", WORKER);
    // As they are deployed: nobody waits for the answer of the second one.
    environment.put("GORKIE_SLACK_TOLD_WITHIN", "10s");
    environment.putAll(settings);
    var door =
        Map.of(
            "GORKIE_ROLE", "ingress",
            "GORKIE_WORKER_FUNCTION", WORKER,
            "SLACK_SIGNING_SECRET", secret);
    var ingress =
        aws.deploy(
            FunctionSettings.of(INGRESS, zip.program(door, LOG)).concurrency(1).provisioned(1));
    var worker =
        aws.deploy(
            FunctionSettings.of(WORKER, zip.program(environment, LOG))
                .timeout(most)
                .concurrency(atOnce + SPARE)
                .provisioned(atOnce));
    if (!ingress.awaitWarm(WARM_MOST) || !worker.awaitWarm(WARM_MOST)) {
      throw new IOException("The functions did not start; " + LOG + " says why");
    }
    var gateway = aws.gateway(0, Map.of("POST /slack/events", ingress), Gateway.Bodies.BY_TYPE);
    installation.world().slack().deliverTo(gateway.url().resolve("/slack/events"));
    return worker;
  }
}
