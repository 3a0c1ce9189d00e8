package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Sandbox;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Gives out Pi on a machine, with the provider that this installation uses.
@ApplicationScoped
public class Agents {

  private final Model model;
  private final Logbook logbook;

  @Inject
  Agents(Model model, Logbook logbook) {
    this.model = model;
    this.logbook = logbook;
  }

  /// Before anything is begun for it.
  ///
  /// @throws Failure when this installation's model is none that may be used
  public void checkModel() {
    mustBeAllowed(model.id().orElseThrow());
  }

  private void mustBeAllowed(String id) {
    if (model.allowed().filter(allowed -> !allowed.contains(id)).isPresent()) {
      throw new Failure(PiFailure.MODEL_NOT_ALLOWED, id + " is not allowed");
    }
  }

  public String modelHost() {
    return model.baseUrl().orElseThrow().getHost();
  }

  /// Whether the model's provider answers, as far as that can be seen from here.
  public Finding modelAnswers() {
    return ModelProbe.of(model.baseUrl().orElseThrow(), model.apiKey());
  }

  /// Whether the keeper there can be spoken to: it is of this deployment's protocol, or of the one before.
  public boolean isSpokenTo(Sandbox sandbox) {
    return Keeper.isOfOurTime(sandbox);
  }

  /// Whether Pi could work on this machine.
  public List<Finding> tryOut(Sandbox sandbox) {
    return new Trial(sandbox, model.baseUrl().orElseThrow(), model.secret().isPresent()).findings();
  }

  /// Nothing is connected before the first word is exchanged.
  public Agent on(
      Sandbox sandbox,
      Conversation conversation,
      Manner manner,
      long fence,
      long offset,
      Deadline deadline) {
    var id = manner.model().isEmpty() ? model.id().orElseThrow() : manner.model();
    mustBeAllowed(id);
    var launch =
        new Launch(
            conversation,
            manner.permissions(),
            sandbox.workDirectory(),
            model.baseUrl().orElseThrow(),
            id,
            model.sees().filter(seeing -> seeing.contains(id)).isPresent(),
            model.secret().isPresent()
                ? Optional.empty()
                : Optional.of(model.apiKey().orElseThrow()),
            runLimit(manner.team()));
    return new Agent(sandbox, launch, fence, offset, deadline, logbook);
  }

  private Duration runLimit(String team) {
    return model.runLimits().stream()
        .flatMap(Set::stream)
        .map(limit -> limit.split("=", 2))
        .filter(limit -> limit[0].equals(team))
        .map(limit -> DurationConverter.parseDuration(limit[1]))
        .findFirst()
        .orElse(model.runLimit());
  }

  /// Optional, since a role that runs no turns has none of it.
  @ConfigMapping(prefix = "gorkie.model")
  interface Model {
    Optional<URI> baseUrl();

    /// The usual one.
    Optional<String> id();

    Optional<String> apiKey();

    /// The machine's secret in place of the key, which is then not handed over.
    Optional<String> secret();

    /// Without it every model may be used.
    Optional<Set<String>> allowed();

    /// Those that can look at images; without it none.
    Optional<Set<String>> sees();

    /// The keeper holds to it even when nobody listens any more.
    @WithDefault("20m")
    Duration runLimit();

    /// Another one for some workspaces, each behind its id and an equals sign.
    Optional<Set<String>> runLimits();
  }
}
