package dev.gorkie.health;

import dev.gorkie.pi.Agents;
import dev.gorkie.sandbox.Finding;
import dev.gorkie.settings.Role;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.Readiness;

/// Without it no agent has anything to say. Sandboxes ask it themselves; that it answers here is a good sign.
@Singleton
@Readiness
class ModelCheck extends Remembered {

  private final Agents agents;

  @Inject
  ModelCheck(Agents agents, Role role, Settings settings) {
    super("model", role, settings);
    this.agents = agents;
  }

  @Override
  Optional<String> trouble() {
    var finding = agents.modelAnswers();
    return finding.weight() == Finding.Weight.BAD
        ? Optional.of(finding.sentence())
        : Optional.empty();
  }
}
