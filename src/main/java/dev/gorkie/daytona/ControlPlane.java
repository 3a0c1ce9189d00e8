package dev.gorkie.daytona;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Daytona's control plane, as much of it as the life of a machine needs.
///
/// A call answers a `Uni` because each has a time-out of its own, which a client's settings can't express.
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
interface ControlPlane {

  @POST
  @Path("sandbox")
  Uni<Machine> create(NewMachine machine);

  @GET
  @Path("sandbox/{idOrName}")
  Uni<Machine> machine(@PathParam("idOrName") String idOrName);

  /// `labels` is a JSON object. The answer is some seconds old.
  @GET
  @Path("sandbox")
  Uni<Page> list(
      @QueryParam("labels") String labels,
      @QueryParam("limit") int limit,
      @QueryParam("cursor") Optional<String> cursor);

  @POST
  @Path("sandbox/{id}/start")
  Uni<Void> start(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/stop")
  Uni<Void> stop(@PathParam("id") String id, @QueryParam("force") boolean force);

  @POST
  @Path("sandbox/{id}/archive")
  Uni<Void> archive(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/recover")
  Uni<Void> recover(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/last-activity")
  Uni<Void> recordActivity(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/ttl/{minutes}")
  Uni<Void> setTimeToLive(@PathParam("id") String id, @PathParam("minutes") long minutes);

  @GET
  @Path("snapshots/{idOrName}")
  Uni<Snapshot> snapshot(@PathParam("idOrName") String idOrName);

  @POST
  @Path("snapshots/{id}/activate")
  Uni<Void> activate(@PathParam("id") String id);

  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record NewMachine(
      String name,
      Optional<String> snapshot,
      Optional<String> target,
      Map<String, String> labels,
      @JsonProperty("public") boolean isPublic,
      long autoStopInterval,
      long autoArchiveInterval,
      long autoDeleteInterval,
      long ttlMinutes) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Machine(
      String id,
      String name,
      Optional<String> state,
      Optional<String> errorReason,
      boolean recoverable,
      String toolboxProxyUrl) {

    String stateOrUnknown() {
      return state.orElse("unknown");
    }

    /// What is to be done with it so that it runs.
    Step nextStep() {
      return nextStep(stateOrUnknown(), recoverable);
    }

    private static Step nextStep(String state, boolean recoverable) {
      return switch (state) {
        case "started" -> Step.USE;
        // A start is legal while it is being archived, and calls the archival off.
        case "stopped", "paused", "archived", "archiving" -> Step.START;
        case "error" -> recoverable ? Step.RECOVER : Step.REPLACE;
        case "build_failed" -> Step.REPLACE;
        case "destroying", "destroyed" -> Step.FORGET;
        // Every other state is a transition, the ones included that are not invented yet.
        default -> Step.WAIT;
      };
    }
  }

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Page(List<Item> items, Optional<String> nextCursor) {}

  /// A machine in a list, of which less is told.
  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Item(
      String id,
      String name,
      Optional<Map<String, String>> labels,
      Optional<String> state,
      boolean recoverable) {

    boolean isUsable() {
      return switch (Machine.nextStep(state.orElse("unknown"), recoverable)) {
        case USE, WAIT, START, RECOVER -> true;
        case REPLACE, FORGET -> false;
      };
    }
  }

  enum Step {
    USE,
    WAIT,
    START,
    RECOVER,
    REPLACE,
    FORGET
  }

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Snapshot(String id, String state) {}
}
