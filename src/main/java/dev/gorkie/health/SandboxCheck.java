package dev.gorkie.health;

import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Landlord;
import dev.gorkie.settings.Role;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.Readiness;

/// Without it no thread has a computer.
@Singleton
@Readiness
class SandboxCheck extends Remembered {

  private final Landlord landlord;

  @Inject
  SandboxCheck(Landlord landlord, Role role, Settings settings) {
    super("daytona", role, settings);
    this.landlord = landlord;
  }

  @Override
  Optional<String> trouble() throws InterruptedException {
    var finding = landlord.answers();
    return finding.weight() == Finding.Weight.BAD
        ? Optional.of(finding.sentence())
        : Optional.empty();
  }
}
