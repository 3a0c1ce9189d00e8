package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One sandbox: what the API says of it, where its files lie and what runs in it.
///
/// What the API says is kept as the API says it, one JSON object. Its monitor guards it.
final class Machine {

  private final Path directory;
  private final ObjectNode facts;
  private final Consumer<Machine> changed;
  private final SandboxProcesses processes;
  private final Terminals terminals;
  private long transition;
  private Instant since = Instant.now();
  private Optional<Instant> activity = Optional.empty();
  private String previewToken = UUID.randomUUID().toString();
  private final String signingKey = UUID.randomUUID().toString();

  Machine(
      Path directory,
      ObjectNode facts,
      Consumer<Machine> changed,
      Path image,
      Supplier<Map<String, String>> secrets,
      Stage stage) {
    this.directory = directory;
    this.facts = facts;
    this.changed = changed;
    this.processes = new SandboxProcesses(id());
    this.terminals =
        new Terminals(
            new Shell(directory, image, facts.path("env"), secrets, processes), id(), stage);
  }

  String id() {
    return facts.path("id").asText();
  }

  Path directory() {
    return directory;
  }

  SandboxProcesses processes() {
    return processes;
  }

  Terminals terminals() {
    return terminals;
  }

  synchronized String name() {
    return facts.path("name").asText();
  }

  synchronized State state() {
    return State.of(facts.path("state").asText());
  }

  synchronized Duration inStateFor() {
    return Duration.between(since, Instant.now());
  }

  String signingKey() {
    return signingKey;
  }

  synchronized String previewToken() {
    return previewToken;
  }

  /// A copy of what the API says.
  synchronized ObjectNode facts() {
    return facts.deepCopy();
  }

  synchronized int number(String fact) {
    return facts.path(fact).asInt();
  }

  synchronized Optional<Instant> instant(String fact) {
    var text = facts.path(fact).asText();
    return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
  }

  synchronized void set(Consumer<ObjectNode> change) {
    change.accept(facts);
    facts.put("updatedAt", Instant.now().toString());
    changed.accept(this);
  }

  /// Begins a transition and ends, without a word, whichever was under way; the number is what `land` asks for.
  synchronized long begin(State during, State desired) {
    enter(during, desired);
    return ++transition;
  }

  /// Whether the transition was still the one under way.
  synchronized boolean land(long begun, State after) {
    if (transition != begun) {
      return false;
    }
    enter(after, after);
    return true;
  }

  /// From now on in this state, whatever was under way.
  synchronized void force(State state) {
    transition++;
    enter(state, state);
  }

  /// Waits until no transition is under way, or for as long as it may.
  synchronized State awaitSettled(Duration most) throws InterruptedException {
    var end = System.nanoTime() + most.toNanos();
    while (state().isTransition()) {
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        break;
      }
      wait(left.toMillis() + 1);
    }
    return state();
  }

  /// Somebody used it. Who looks for idle machines hears of that only at the next `flushActivity`.
  synchronized void touch() {
    activity = Optional.of(Instant.now());
  }

  synchronized void flushActivity() {
    activity.ifPresent(at -> set(facts -> facts.put("lastActivityAt", at.toString())));
    activity = Optional.empty();
  }

  private void enter(State state, State desired) {
    since = Instant.now();
    activity = Optional.empty();
    if (state == State.STARTED) {
      previewToken = UUID.randomUUID().toString();
    }
    set(
        facts -> {
          facts.put("state", state.wire());
          facts.put("desiredState", desired.wire());
          facts.put("lastActivityAt", since.toString());
          if (!state.isFailed()) {
            facts.remove("errorReason");
            facts.put("recoverable", false);
          }
        });
    notifyAll();
  }
}
