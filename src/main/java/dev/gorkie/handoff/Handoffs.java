package dev.gorkie.handoff;

import dev.gorkie.aws.AwsAccess;
import dev.gorkie.aws.AwsJson;
import dev.gorkie.settings.Role;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Chooses the way of handing over that this process's role has.
@ApplicationScoped
class Handoffs {

  @Produces
  @Singleton
  Handoff handoff(Role role, Worker worker, AwsAccess access, Aws aws) {
    if (role == Role.SERVER) {
      return new InProcessHandoff(worker);
    }
    var endpoint = aws.lambdaEndpoint().orElseGet(() -> access.endpoint("lambda"));
    return new LambdaHandoff(
        new LambdaInvocation(
            endpoint,
            aws.workerFunction().orElse(""),
            access.signature("lambda"),
            InstantSource.system()));
  }

  /// A server has a scheduler of its own.
  @Produces
  @Singleton
  Alarm alarm(Role role, AwsAccess access, Aws aws) {
    if (role == Role.SERVER || aws.sweepRule().isEmpty()) {
      return new Alarm() {
        @Override
        public void switchOn() {}

        @Override
        public void switchOff() {}

        @Override
        public void switchOnAt(Instant due) {}
      };
    }
    var endpoint = aws.eventsEndpoint().orElseGet(() -> access.endpoint("events"));
    return new RuleAlarm(
        new AwsJson(
            endpoint,
            access.signature("events"),
            "application/x-amz-json-1.1",
            InstantSource.system()),
        aws.sweepRule().get());
  }

  @Produces
  @Singleton
  Failures failures(Role role, AwsAccess access, Aws aws) {
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
    var endpoint = aws.sqsEndpoint().orElseGet(() -> access.endpoint("sqs"));
    return new QueueFailures(
        new AwsJson(
            endpoint,
            access.signature("sqs"),
            "application/x-amz-json-1.0",
            InstantSource.system()),
        aws.failureQueueUrl().get());
  }

  /// Where the others are, and what they are called.
  @ConfigMapping(prefix = "gorkie.aws")
  interface Aws {
    Optional<URI> lambdaEndpoint();

    Optional<String> workerFunction();

    Optional<URI> eventsEndpoint();

    Optional<URI> sqsEndpoint();

    /// The rule that invokes the worker to look for abandoned work.
    Optional<String> sweepRule();

    Optional<String> failureQueueUrl();
  }
}
