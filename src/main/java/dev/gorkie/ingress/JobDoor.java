package dev.gorkie.ingress;

import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.jobs.JobEnd;
import dev.gorkie.jobs.JobTokens;
import dev.gorkie.settings.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;

/// Where a sandbox says that a job on it is over. What it says is carried on; whether it is news is known behind the second door.
@Path("/sandbox-jobs")
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
class JobDoor {

  private static final Logger LOG = Logger.getLogger(JobDoor.class);

  // The end of its output, of up to 4,000 characters of four bytes, escaped, and little else.
  private static final int BODY_BYTES_MAX = 32 * 1024;
  private static final String BEARER = "Bearer ";

  private final JobTokens tokens;
  private final Handoff handoff;
  private final Role role;

  @Inject
  JobDoor(JobTokens tokens, Handoff handoff, Role role) {
    this.tokens = tokens;
    this.handoff = handoff;
    this.role = role;
  }

  @POST
  @Path("/{id}/complete")
  public Response complete(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.AUTHORIZATION) @DefaultValue("") String authorization,
      byte[] body) {
    if (body.length > BODY_BYTES_MAX) {
      return answer(413, "The end of a job may have 32 KiB.");
    }
    // Whether there is such a job is nobody's business who has not its token.
    if (!role.hearsSlack()
        || !authorization.startsWith(BEARER)
        || !tokens.fits(id, authorization.substring(BEARER.length()))) {
      LOG.warn("Refused the end of a job without its token");
      return answer(404, "There is no such job.");
    }
    var delivery = JobEnd.delivery(id, body);
    if (delivery.isEmpty()) {
      return answer(400, "This is not the end of that job.");
    }
    return handoff.carry(new Delivery(delivery.get()))
        ? Response.noContent().build()
        : answer(503, "Not accepted; please try again.");
  }

  private static Response answer(int status, String text) {
    return Response.status(status).type(MediaType.TEXT_PLAIN_TYPE).entity(text).build();
  }
}
