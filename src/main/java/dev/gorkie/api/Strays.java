package dev.gorkie.api;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// What comes to where programs come and is for none of the doors: it is told so as everything is told there.
@ApplicationScoped
class Strays {

  private static final String PLACE = "/v1/sandbox";

  private static final int BEHIND_EVERYBODY = Integer.MAX_VALUE;

  void takeIn(@Observes Router router) {
    router
        .route(PLACE + "/*")
        .order(BEHIND_EVERYBODY)
        .handler(
            stray ->
                tell(
                    stray,
                    Problem.unknown(
                        "There is no such route. GET /v1/sandbox/openapi.json tells which there are.")));
  }

  private static void tell(RoutingContext asked, Problem problem) {
    asked
        .response()
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(problem.json().toString());
  }

  /// Elsewhere it stays as it is.
  @ServerExceptionMapper
  Response notAllowed(NotAllowedException refused, UriInfo asked) {
    return asked.getPath().startsWith(PLACE)
        ? new Problem(
                405,
                "not_allowed",
                "Not by this method",
                "There is this route, and not for this method. GET /v1/sandbox/openapi.json tells for which.")
            .response()
        : refused.getResponse();
  }
}
