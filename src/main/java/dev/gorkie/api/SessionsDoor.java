package dev.gorkie.api;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.tokens.Scope;
import dev.gorkie.workbench.Workbench;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/// The sessions of all tenants, for whoever looks after them.
@Path("/v1/sandbox/sessions")
@RunOnVirtualThread
class SessionsDoor {

  private static final int PAGE = 100;
  private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

  private final Doorkeeper keeper;
  private final Workbench workbench;
  private final Patience patience;

  @Inject
  SessionsDoor(Doorkeeper keeper, Workbench workbench, Patience patience) {
    this.keeper = keeper;
    this.workbench = workbench;
    this.patience = patience;
  }

  @GET
  public Response sessions(
      @Context HttpHeaders headers,
      @QueryParam("tenant") @DefaultValue("") String tenant,
      @QueryParam("after") @DefaultValue("") String after)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.ADMIN,
        _ -> {
          var only = Optional.of(tenant).filter(it -> !it.isEmpty());
          only.ifPresent(Names::mustBeTenant);
          Names.mustBePlace(after);
          return Answers.sessions(workbench.sessions(only, after, PAGE), PAGE);
        });
  }

  /// Asked twice, it is the same.
  @DELETE
  @Path("/{tenant}/{session}")
  public Response remove(
      @Context HttpHeaders headers,
      @PathParam("tenant") String tenant,
      @PathParam("session") String session)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.ADMIN,
        _ -> {
          Names.mustBeTenant(tenant);
          Names.mustBeSession(session);
          return removed(tenant, session);
        });
  }

  private Response removed(String tenant, String session) throws InterruptedException {
    try {
      return workbench
          .remove(tenant, session, Deadline.in(patience.most()))
          .map(
              wait ->
                  new Problem(
                          409,
                          "in_use",
                          "Its sandbox is being woken",
                          "From now on nobody begins anything in it. Ask again in a moment.",
                          Optional.of(wait))
                      .response())
          .orElseGet(() -> Response.noContent().build());
    } catch (Failure _) {
      return new Problem(
              503,
              "unreachable",
              "The sandbox can't be removed now",
              "From now on nobody begins anything in it. Ask again in a moment.",
              Optional.of(TRY_AGAIN))
          .response();
    }
  }
}
