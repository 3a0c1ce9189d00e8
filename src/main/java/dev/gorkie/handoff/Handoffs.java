package dev.gorkie.handoff;

import dev.gorkie.aws.AwsJson;
import dev.gorkie.aws.AwsSignature;
import dev.gorkie.settings.Role;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Chooses the way of handing over that this process's role has.
@ApplicationScoped
class Handoffs {

  @Produces
  @Singleton
  Handoff handoff(Role role, Worker worker, Aws aws) {
    if (role == Role.SERVER) {
      return new InProcessHandoff(worker);
    }
    var endpoint = aws.lambdaEndpoint().orElseGet(() -> endpoint(aws, "lambda"));
    return new LambdaHandoff(
        new LambdaInvocation(
            endpoint,
            aws.workerFunction().orElse(""),
            signature(aws, "lambda"),
            InstantSource.system()));
  }

  /// A server has a scheduler of its own.
  @Produces
  @Singleton
  Alarm alarm(Role role, Aws aws) {
    if (role == Role.SERVER || aws.sweepRule().isEmpty()) {
      return new Alarm() {
        @Override
        public void switchOn() {}

        @Override
        public void switchOff() {}
      };
    }
    var endpoint = aws.eventsEndpoint().orElseGet(() -> endpoint(aws, "events"));
    return new RuleAlarm(
        new AwsJson(
            endpoint,
            signature(aws, "events"),
            "application/x-amz-json-1.1",
            InstantSource.system()),
        aws.sweepRule().get());
  }

  @Produces
  @Singleton
  Failures failures(Role role, Aws aws) {
    if (role == Role.SERVER || aws.failureQueueUrl().isEmpty()) {
      return new Failures() {
        @Override
        public List<Failed> look() {
          return List.of();
        }

        @Override
        public void remove(Failed failed) {}
      };
    }
    var endpoint = aws.sqsEndpoint().orElseGet(() -> endpoint(aws, "sqs"));
    return new QueueFailures(
        new AwsJson(
            endpoint, signature(aws, "sqs"), "application/x-amz-json-1.0", InstantSource.system()),
        aws.failureQueueUrl().get());
  }

  private static URI endpoint(Aws aws, String service) {
    return URI.create("https://" + service + "." + region(aws) + ".amazonaws.com");
  }

  private static String region(Aws aws) {
    return aws.region().orElse("us-east-1");
  }

  private static AwsSignature signature(Aws aws, String service) {
    return new AwsSignature(
        aws.accessKeyId().orElse(""),
        aws.secretAccessKey().orElse(""),
        aws.sessionToken(),
        region(aws),
        service);
  }

  /// What Lambda puts into the environment of a function, and the name of the other one.
  @ConfigMapping(prefix = "gorkie.aws")
  interface Aws {
    Optional<String> region();

    Optional<String> accessKeyId();

    Optional<String> secretAccessKey();

    Optional<String> sessionToken();

    Optional<URI> lambdaEndpoint();

    Optional<String> workerFunction();

    Optional<URI> eventsEndpoint();

    Optional<URI> sqsEndpoint();

    /// The rule that invokes the worker to look for abandoned work.
    Optional<String> sweepRule();

    Optional<String> failureQueueUrl();
  }
}
