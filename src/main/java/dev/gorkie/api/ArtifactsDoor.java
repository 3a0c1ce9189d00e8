package dev.gorkie.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.settings.Role;
import dev.gorkie.tokens.Bearer;
import dev.gorkie.tokens.Scope;
import dev.gorkie.workbench.Artifact;
import dev.gorkie.workbench.Workbench;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.time.Duration;
import java.util.Optional;

/// What operations have made.
@Path("/v1/sandbox/artifacts")
@RunOnVirtualThread
class ArtifactsDoor {

  private static final ObjectMapper JSON = new ObjectMapper();
  // A function's answer has 6 MB at most, and bytes go as Base64.
  private static final long OF_A_FUNCTION_BYTES_MAX = 4 * 1024 * 1024;
  private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

  private final Doorkeeper keeper;
  private final Workbench workbench;
  private final Role role;
  private final Patience patience;

  @Inject
  ArtifactsDoor(Doorkeeper keeper, Workbench workbench, Role role, Patience patience) {
    this.keeper = keeper;
    this.workbench = workbench;
    this.role = role;
    this.patience = patience;
  }

  @GET
  @Path("/{id}")
  public Response artifact(@Context HttpHeaders headers, @PathParam("id") String id)
      throws InterruptedException {
    return keeper.answered(headers, Scope.READ, bearer -> Answers.artifact(found(bearer, id)));
  }

  /// Where it may be fetched from for some minutes, by whoever is told.
  @GET
  @Path("/{id}/address")
  public Response address(@Context HttpHeaders headers, @PathParam("id") String id)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.READ,
        bearer -> {
          found(bearer, id);
          var address =
              available(() -> workbench.address(bearer.tenant(), id, Deadline.in(patience.most())));
          return Answers.json(
              200, JSON.createObjectNode().put("artifact", id).put("url", address.toString()));
        });
  }

  @GET
  @Path("/{id}/content")
  public Response content(@Context HttpHeaders headers, @PathParam("id") String id)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.READ,
        bearer -> {
          var artifact = found(bearer, id);
          var deadline = Deadline.in(patience.most());
          if (role != Role.SERVER && artifact.bytes() > OF_A_FUNCTION_BYTES_MAX) {
            return Response.seeOther(
                    available(() -> workbench.address(bearer.tenant(), id, deadline)))
                .header("Cache-Control", "no-store")
                .build();
          }
          var content = available(() -> workbench.content(bearer.tenant(), id, deadline));
          StreamingOutput streamed =
              out -> {
                try (content) {
                  content.transferTo(out);
                }
              };
          // What a sandbox says of its type no browser is to act on.
          return Response.ok(streamed, MediaType.APPLICATION_OCTET_STREAM)
              .header("Content-Disposition", "attachment")
              .header("X-Content-Type-Options", "nosniff")
              .header("ETag", "\"" + artifact.sha256() + "\"")
              .header("Cache-Control", "no-store")
              .build();
        });
  }

  private Artifact found(Bearer bearer, String id) {
    return Optional.of(id)
        .filter(Names::isId)
        .flatMap(it -> workbench.artifact(bearer.tenant(), it))
        .orElseThrow(() -> new Refused(Problem.unknown("There is no artifact of this id.")));
  }

  @FunctionalInterface
  private interface Fetching<T> {
    Optional<T> fetch() throws InterruptedException;
  }

  private static <T> T available(Fetching<T> fetching) throws InterruptedException {
    try {
      return fetching
          .fetch()
          .orElseThrow(
              () ->
                  new Refused(
                      new Problem(
                          410,
                          "gone",
                          "It can't be fetched any more",
                          "Its sandbox was replaced, or has put away what was made long ago.")));
    } catch (Failure _) {
      throw new Refused(
          new Problem(
              503,
              "unreachable",
              "The sandbox can't be had now",
              "Its files are safe; try again in a few seconds.",
              Optional.of(TRY_AGAIN)));
    }
  }
}
