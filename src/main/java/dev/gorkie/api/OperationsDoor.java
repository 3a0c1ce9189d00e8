package dev.gorkie.api;

import dev.gorkie.Deadline;
import dev.gorkie.settings.Role;
import dev.gorkie.tokens.Bearer;
import dev.gorkie.tokens.Scope;
import dev.gorkie.workbench.Standing;
import dev.gorkie.workbench.Workbench;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// How operations stand, what came of them, and what they print meanwhile.
@Path("/v1/sandbox/operations")
@RunOnVirtualThread
class OperationsDoor {

  // Whoever listens and hears nothing for so long hears at least that we are there.
  private static final Duration SILENT_MOST = Duration.ofSeconds(10);
  private static final Duration LISTENED_MOST = Duration.ofMinutes(15);

  private final Doorkeeper keeper;
  private final Workbench workbench;
  private final Role role;
  private final Patience patience;

  @Inject
  OperationsDoor(Doorkeeper keeper, Workbench workbench, Role role, Patience patience) {
    this.keeper = keeper;
    this.workbench = workbench;
    this.role = role;
    this.patience = patience;
  }

  @GET
  @Path("/{id}")
  public Response operation(
      @Context HttpHeaders headers,
      @PathParam("id") String id,
      @QueryParam("wait") @DefaultValue("0") String wait)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.OF_PROGRAMS,
        bearer -> {
          var most = patience.read(wait);
          var now = found(bearer, id);
          if (now.outcome().isEmpty() && !most.isZero()) {
            workbench.await(id, Deadline.in(most));
            now = found(bearer, id);
          }
          return Answers.standing(now);
        });
  }

  private Standing found(Bearer bearer, String id) {
    mustBeId(id);
    return workbench.find(bearer.tenant(), id).orElseThrow(OperationsDoor::unknown);
  }

  private static void mustBeId(String id) {
    if (!Names.isId(id)) {
      throw unknown();
    }
  }

  private static Refused unknown() {
    return new Refused(Problem.unknown("There is no operation of this id."));
  }

  /// Piece by piece, for where nothing can be streamed.
  @GET
  @Path("/{id}/output")
  public Response output(
      @Context HttpHeaders headers,
      @PathParam("id") String id,
      @QueryParam("stdout") @DefaultValue("0") String stdout,
      @QueryParam("stderr") @DefaultValue("0") String stderr,
      @QueryParam("wait") @DefaultValue("0") String wait)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.OF_PROGRAMS,
        bearer -> {
          mustBeId(id);
          return Answers.piece(
              workbench
                  .listen(
                      bearer.tenant(),
                      id,
                      offset("stdout", stdout),
                      offset("stderr", stderr),
                      patience.read(wait))
                  .orElseThrow(OperationsDoor::unknown));
        });
  }

  private static long offset(String name, String value) {
    if (!value.matches("[0-9]{1,15}")) {
      throw new Refused(
          Problem.wrong(
              "invalid_parameter",
              name + " is not what it should be. Expected: an offset, 0 at first."));
    }
    return Long.parseLong(value);
  }

  /// As it comes, and then the end of it.
  @GET
  @Path("/{id}/events")
  public Response events(@Context HttpHeaders headers, @PathParam("id") String id)
      throws InterruptedException {
    return keeper.answered(
        headers,
        Scope.OF_PROGRAMS,
        bearer -> {
          found(bearer, id);
          if (role != Role.SERVER) {
            throw new Refused(
                new Problem(
                    406,
                    "not_streamed",
                    "Nothing is streamed here",
                    "This deployment answers whole requests only. Ask for …/output instead, piece by piece."));
          }
          StreamingOutput events = out -> stream(bearer, id, out);
          return Response.ok(events, Answers.EVENTS).header("Cache-Control", "no-store").build();
        });
  }

  private void stream(Bearer bearer, String id, OutputStream out) throws IOException {
    var until = Deadline.in(LISTENED_MOST);
    var stdout = 0L;
    var stderr = 0L;
    try {
      while (!until.isOver()) {
        var piece = workbench.listen(bearer.tenant(), id, stdout, stderr, SILENT_MOST);
        if (piece.isEmpty()) {
          return;
        }
        stdout = piece.get().stdoutNext();
        stderr = piece.get().stderrNext();
        write(out, Answers.events(piece.get()));
        if (piece.get().over()) {
          write(out, Answers.lastEvent(found(bearer, id)));
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void write(OutputStream out, String events) throws IOException {
    out.write(events.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
