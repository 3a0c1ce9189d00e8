package dev.gorkie.ingress;

import dev.gorkie.logbook.Logbook;
import dev.gorkie.settings.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.health.SmallRyeHealth;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// For whoever looks after a server: whether it is well, what is missing, what it has counted. A function has no such door; who
/// runs it asks CloudWatch.
@Path("/")
@RunOnVirtualThread
class HealthDoor {

  private static final String PROMETHEUS = "text/plain;version=0.0.4;charset=utf-8";

  private final SmallRyeHealthReporter reporter;
  private final Logbook logbook;
  private final Role role;

  @Inject
  HealthDoor(SmallRyeHealthReporter reporter, Logbook logbook, Role role) {
    this.reporter = reporter;
    this.logbook = logbook;
    this.role = role;
  }

  /// Whether the process is worth keeping; what others do to it is not asked.
  @GET
  @Path("healthz")
  public Response live() {
    return isServer() ? answer(reporter.getLiveness()) : notHere();
  }

  /// Whether a message would be answered.
  @GET
  @Path("readyz")
  public Response ready() {
    return isServer() ? answer(reporter.getReadiness()) : notHere();
  }

  /// Whether a message would be taken in, which is all that whoever distributes them needs to know: what is taken in is answered
  /// later, what is turned away may get lost.
  @GET
  @Path("readyz/door")
  public Response door() {
    return isServer() ? answer(reporter.getHealthGroup("door")) : notHere();
  }

  @GET
  @Path("metrics")
  public Response metrics() {
    return logbook
        .scraped()
        .map(text -> Response.ok(text, PROMETHEUS).build())
        .orElseGet(HealthDoor::notHere);
  }

  private boolean isServer() {
    return role == Role.SERVER;
  }

  private static Response answer(SmallRyeHealth health) {
    return Response.status(health.isDown() ? 503 : 200)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header("Cache-Control", "no-store")
        .entity(health.getPayload().toString())
        .build();
  }

  private static Response notHere() {
    return Response.status(404).build();
  }
}
