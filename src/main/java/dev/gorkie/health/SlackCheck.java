package dev.gorkie.health;

import dev.gorkie.settings.Role;
import dev.gorkie.slack.Standing;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.Readiness;

/// Without it no answer can be given.
@Singleton
@Readiness
class SlackCheck extends Remembered {

  private final Standing standing;

  @Inject
  SlackCheck(Standing standing, Role role, Settings settings) {
    super("slack", role, settings);
    this.standing = standing;
  }

  @Override
  Optional<String> trouble() {
    return standing.trouble();
  }
}
