package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Recording;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A deployed function: its instances, its queue of events, and what became of them.
public final class LambdaFunction implements AutoCloseable {

  private volatile FunctionSettings settings;
  private final String arn;
  private final Instances instances;
  private final EventQueue queue;
  private final Failures failures = new Failures(this::invokeLater);
  private final Recording<Attempt> attempts = new Recording<>();

  LambdaFunction(FunctionSettings settings, String arn, double hurry, Starter starter) {
    this.settings = settings;
    this.arn = arn;
    this.instances =
        new Instances(settings.concurrency(), settings.provisioned(), starter.startsFor(this));
    this.queue = new EventQueue(this, hurry, failures);
  }

  /// Starts the n-th instance of a function.
  interface Starter {
    IntFunction<Instance> startsFor(LambdaFunction function);
  }

  public String name() {
    return settings.name();
  }

  public String arn() {
    return arn;
  }

  /// Shifts it to another release: whoever starts from now on is of that one. Who is at work brings it to its end, and nobody of the one
  /// before is given anything more.
  public void publish(Code code) {
    settings = settings.code(code);
    instances.renew();
  }

  /// Waits for the outcome; empty when every instance is busy, which Lambda calls throttled.
  public Optional<Outcome> invoke(String payload) throws InterruptedException {
    return attempt(event(payload), 1, Duration.ZERO);
  }

  /// Puts the payload into the queue; gives the request's id.
  public String invokeLater(String payload) {
    var event = event(payload);
    queue.put(event);
    return event.requestId();
  }

  /// As [#invokeLater], but the queue delivers it twice without any error, as it sometimes does.
  public String invokeTwice(String payload) {
    var event = event(payload);
    queue.put(event);
    queue.put(event);
    return event.requestId();
  }

  public List<Attempt> attempts() {
    return attempts.all();
  }

  public List<Attempt> awaitAttempts(int count, Predicate<Attempt> wanted, Duration most)
      throws InterruptedException {
    return attempts.await(count, wanted, most);
  }

  public Failures failures() {
    return failures;
  }

  /// The processes that serve it now; a test may pause or kill them by [Signal].
  public List<Long> processes() {
    return programs().map(ProgramInstance::pid).toList();
  }

  /// Whether one of those that are kept started stands ready within that time.
  public boolean awaitWarm(Duration most) throws InterruptedException {
    return instances.awaitWarm(most);
  }

  /// What the processes work on now.
  public List<Serving> serving() {
    return programs().flatMap(program -> program.serving().stream()).toList();
  }

  @Override
  public void close() {
    queue.close();
    instances.close();
  }

  FunctionSettings settings() {
    return settings;
  }

  void provision() {
    instances.provision();
  }

  void instancesChanged() {
    instances.changed();
  }

  Optional<ProgramInstance> program(String name) {
    return programs().filter(program -> program.name().equals(name)).findFirst();
  }

  Optional<Outcome> attempt(Event event, int number, Duration patience)
      throws InterruptedException {
    var invocation = new Invocation(event.requestId(), event.payload(), settings.timeout());
    var taken = instances.give(invocation, patience);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    var outcome = invocation.await();
    if (Invocation.isTimeout(outcome)) {
      taken.get().close();
    }
    instances.awaitFree(taken.get(), settings.timeout());
    attempts.add(
        new Attempt(event.requestId(), number, taken.get().name(), event.payload(), outcome));
    return Optional.of(outcome);
  }

  private Stream<ProgramInstance> programs() {
    return instances.all().stream()
        .filter(ProgramInstance.class::isInstance)
        .map(ProgramInstance.class::cast);
  }

  private static Event event(String payload) {
    return new Event(UUID.randomUUID().toString(), payload, Instant.now());
  }
}
