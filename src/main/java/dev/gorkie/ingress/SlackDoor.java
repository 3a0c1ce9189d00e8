package dev.gorkie.ingress;

import dev.gorkie.logbook.Logbook;
import dev.gorkie.logbook.Took;
import dev.gorkie.logbook.Trail;
import dev.gorkie.logbook.Trail.Mark;
import dev.gorkie.settings.Role;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.slack.SlackSettings;
import dev.gorkie.slack.SlackSignature;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.config.Secret;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;

/// Slack's requests: verified, read, carried on, answered. Nothing else fits into three seconds.
@Path("/slack")
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
class SlackDoor {

  private static final Logger LOG = Logger.getLogger(SlackDoor.class);

  // The server refuses larger bodies by itself; a function gets them whole.
  private static final int BODY_BYTES_MAX = 512 * 1024;

  private final String signingSecret;
  private final Reception reception;
  private final Role role;
  private final Logbook logbook;
  private final Instance<com.amazonaws.services.lambda.runtime.Context> invocation;

  @Inject
  SlackDoor(
      SlackSettings slack,
      Reception reception,
      Role role,
      Logbook logbook,
      Instance<com.amazonaws.services.lambda.runtime.Context> invocation) {
    this.signingSecret = slack.signingSecret().map(Secret::get).orElse("");
    this.reception = reception;
    this.role = role;
    this.logbook = logbook;
    this.invocation = invocation;
  }

  @POST
  @Path("/events")
  public Response events(@Context HttpHeaders headers, byte[] body) {
    return answered(headers, body, SlackEvent::readJson);
  }

  @POST
  @Path("/interactions")
  public Response interactions(@Context HttpHeaders headers, byte[] body) {
    return answered(headers, body, SlackEvent::read);
  }

  @POST
  @Path("/commands")
  public Response commands(@Context HttpHeaders headers, byte[] body) {
    return answered(headers, body, SlackEvent::read);
  }

  private Response answered(
      HttpHeaders headers, byte[] body, Function<byte[], SlackEvent> reading) {
    var came = System.nanoTime();
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.REQUEST, request());
      var refused = refusal(headers, body);
      if (refused.isPresent()) {
        return refused.get();
      }
      var answer = answer(reading.apply(body), body);
      logbook.took(Took.ACK, Duration.ofNanos(System.nanoTime() - came));
      return answer;
    }
  }

  /// Lambda's own number, by which the line that it writes of an invocation is found, too.
  private String request() {
    return invocation.isResolvable()
        ? invocation.get().getAwsRequestId()
        : UUID.randomUUID().toString();
  }

  private Optional<Response> refusal(HttpHeaders headers, byte[] body) {
    if (!role.hearsSlack()) {
      return Optional.of(text(404, "This function does not speak with Slack."));
    }
    if (body.length > BODY_BYTES_MAX) {
      LOG.warnf("Refused a body of %d bytes", body.length);
      return Optional.of(text(413, "A request may have 512 KiB."));
    }
    var verdict =
        SlackSignature.check(
            signingSecret,
            headers.getRequestHeader(SlackSignature.TIMESTAMP_HEADER),
            headers.getRequestHeader(SlackSignature.SIGNATURE_HEADER),
            body,
            InstantSource.system());
    if (!verdict.isGenuine()) {
      LOG.warnf("Refused a request that Slack did not sign: %s", verdict);
      return Optional.of(text(401, "The signature does not fit."));
    }
    return Optional.empty();
  }

  private Response answer(SlackEvent event, byte[] body) {
    return switch (reception.receive(event, body)) {
      case Reception.Reply.Taken() -> Response.ok().build();
      case Reception.Reply.Challenge(var word) -> text(200, word);
      case Reception.Reply.Malformed(var reason) -> text(400, reason);
      case Reception.Reply.Busy() -> text(503, "Not accepted; please deliver again.");
    };
  }

  private static Response text(int status, String text) {
    return Response.status(status).type(MediaType.TEXT_PLAIN_TYPE).entity(text).build();
  }
}
