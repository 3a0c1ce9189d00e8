package dev.gorkie.api;

import dev.gorkie.Deadline;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.settings.Role;
import dev.gorkie.tokens.Bearer;
import dev.gorkie.workbench.Accepted;
import dev.gorkie.workbench.Order;
import dev.gorkie.workbench.Workbench;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/// What programs want done in sandboxes.
@Path("/v1/sandbox")
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
class SandboxDoor {

  // The server refuses larger bodies by itself; a function gets them whole.
  private static final int BODY_BYTES_MAX = 512 * 1024;

  private final Doorkeeper keeper;
  private final Workbench workbench;
  private final Handoff handoff;
  private final Role role;
  private final Patience patience;

  @Inject
  SandboxDoor(
      Doorkeeper keeper, Workbench workbench, Handoff handoff, Role role, Patience patience) {
    this.keeper = keeper;
    this.workbench = workbench;
    this.handoff = handoff;
    this.role = role;
    this.patience = patience;
  }

  @POST
  @Path("/execute")
  public Response execute(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.EXECUTE, headers, body);
  }

  @POST
  @Path("/bash")
  public Response bash(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.BASH, headers, body);
  }

  @POST
  @Path("/read")
  public Response read(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.READ, headers, body);
  }

  @POST
  @Path("/read_binary")
  public Response readBinary(@Context HttpHeaders headers, byte[] body)
      throws InterruptedException {
    return done(Call.READ_BINARY, headers, body);
  }

  @POST
  @Path("/write")
  public Response write(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.WRITE, headers, body);
  }

  @POST
  @Path("/copy")
  public Response copy(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.COPY, headers, body);
  }

  @POST
  @Path("/grep")
  public Response grep(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.GREP, headers, body);
  }

  @POST
  @Path("/glob")
  public Response glob(@Context HttpHeaders headers, byte[] body) throws InterruptedException {
    return done(Call.GLOB, headers, body);
  }

  private Response done(Call call, HttpHeaders headers, byte[] body) throws InterruptedException {
    return keeper.answered(headers, call.scope(), bearer -> done(call, bearer, headers, body));
  }

  private Response done(Call call, Bearer bearer, HttpHeaders headers, byte[] body)
      throws InterruptedException {
    mustFit(body);
    var read = call.shape().read(body);
    var order =
        new Order(
            bearer.tenant(),
            Optional.ofNullable(read.get("session")).map(it -> it.asText()),
            Optional.ofNullable(read.get("policy")).map(it -> it.asText()),
            call.kind(),
            call.wish(read),
            Key.of(Doorkeeper.header(headers, Key.HEADER), call.path(), body));
    return switch (workbench.accept(order)) {
      case Accepted.Operation(var id) -> outcome(id, order.session().isEmpty());
      case Accepted.KeyTaken() ->
          Problem.wrong(
                  "key_taken",
                  "Something else was asked for under this " + Key.HEADER + ". Choose another.")
              .response();
      case Accepted.WrongPolicy(var isThere) ->
          Problem.wrong(
                  "wrong_policy",
                  isThere
                      ? "Another policy holds in this session. It is chosen when the session begins."
                      : "There is no policy of this name.")
              .response();
      case Accepted.TooMany(var of, var most) ->
          new Problem(
                  429,
                  "too_many",
                  "Too much at once",
                  "%d %s already, and no more may be.".formatted(most, of),
                  Optional.of(Duration.ofSeconds(1)))
              .response();
    };
  }

  static void mustFit(byte[] body) {
    if (body.length > BODY_BYTES_MAX) {
      throw new Refused(
          new Problem(413, "too_large", "That is too large", "A request may have 512 KiB."));
    }
  }

  private Response outcome(String id, boolean isForThisOnce) throws InterruptedException {
    var deadline = Deadline.in(patience.most());
    if (role != Role.SERVER && !workbench.isLookedAfter()) {
      // Whoever it comes to finds it in our hands, and sets the clock going by which it is found
      // when we are gone.
      handoff.carryOut(id);
    }
    // A function stands still from its answer on: what is left to do then somebody else does.
    if (role == Role.SERVER || !workbench.carryOut(id, deadline) || isForThisOnce) {
      handoff.carryOut(id);
    }
    return workbench
        .await(id, deadline)
        .map(outcome -> Answers.of(id, outcome))
        .orElseGet(() -> Answers.later(id));
  }
}
