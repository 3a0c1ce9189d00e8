package dev.gorkie.ingress;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.health.api.HealthGroup;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Default;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/// Whether this server was told to end. From then on it takes nothing in: Slack delivers again, to whoever comes after.
@ApplicationScoped
@Default
@Readiness
@HealthGroup("door")
class Leaving implements HealthCheck {

  private static final Logger LOG = Logger.getLogger(Leaving.class);

  // Before anybody who waits for his work to be left.
  private static final int FIRST = 1;

  private volatile boolean begun;

  boolean hasBegun() {
    return begun;
  }

  void begin(@Observes @Priority(FIRST) ShutdownDelayInitiatedEvent soon) {
    LOG.info("Told to end: nothing is taken in any more, and what is under way is left in order");
    begun = true;
  }

  void begin(@Observes @Priority(FIRST) ShutdownEvent now) {
    begun = true;
  }

  @Override
  public HealthCheckResponse call() {
    var response = HealthCheckResponse.named("open").status(!begun);
    if (begun) {
      response.withData("reason", "This server is about to end.");
    }
    return response.build();
  }
}
