package dev.gorkie.settings;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.Config;

/// Refuses to start what could not do its work, where no `main` has asked before: in a function on the JVM, in a test.
@ApplicationScoped
class Start {

  private final Settings settings;

  @Inject
  Start(Config config) {
    this.settings = new Settings(name -> config.getOptionalValue(name, String.class));
  }

  void check(@Observes @Priority(1) StartupEvent event) {
    var complaints = settings.complaints();
    if (!complaints.isEmpty()) {
      throw new IllegalStateException(String.join(" ", complaints));
    }
  }

  @Produces
  @Singleton
  Role role() {
    return settings.role().orElse(Role.SERVER);
  }
}
