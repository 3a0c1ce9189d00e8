package dev.gorkie.daytona;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.daytona.State.Step;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
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

  /// With its archive. Its name is free at once.
  @DELETE
  @Path("sandbox/{id}")
  Uni<Void> delete(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/recover")
  Uni<Void> recover(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/last-activity")
  Uni<Void> recordActivity(@PathParam("id") String id);

  @POST
  @Path("sandbox/{id}/ttl/{minutes}")
  Uni<Void> setTimeToLive(@PathParam("id") String id, @PathParam("minutes") long minutes);

  /// What is not named in it is lifted.
  @POST
  @Path("sandbox/{id}/network-settings")
  Uni<Void> setNetwork(@PathParam("id") String id, NetworkSettings settings);

  /// Where the toolbox is of a machine that does not say so itself.
  @GET
  @Path("sandbox/{id}/toolbox-proxy-url")
  Uni<ProxyUrl> toolboxProxyUrl(@PathParam("id") String id);

  /// What addresses of its files are signed with.
  @GET
  @Path("sandbox/{id}/signing-key")
  Uni<JsonNode> signingKey(@PathParam("id") String id);

  @GET
  @Path("sandbox/{id}/ports/{port}/signed-preview-url")
  Uni<Preview> preview(
      @PathParam("id") String id,
      @PathParam("port") int port,
      @QueryParam("expiresInSeconds") long seconds);

  @PUT
  @Path("sandbox/{id}/secrets")
  Uni<Void> setSecrets(@PathParam("id") String id, Secrets secrets);

  /// All of them: what is not named is taken away.
  @PUT
  @Path("sandbox/{id}/labels")
  Uni<Void> setLabels(@PathParam("id") String id, Labels labels);

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
      long ttlMinutes,
      boolean networkBlockAll,
      Optional<String> networkAllowList,
      Optional<String> domainAllowList,
      List<Map<String, String>> secrets) {}

  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record NetworkSettings(
      boolean networkBlockAll, String networkAllowList, String domainAllowList) {}

  @RegisterForReflection
  record Preview(String url) {}

  /// Each is a variable of the environment and the name of the secret that it stands for.
  @RegisterForReflection
  record Secrets(List<Map<String, String>> secrets) {}

  @RegisterForReflection
  record Labels(Map<String, String> labels) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record ProxyUrl(String url) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Machine(
      String id,
      String name,
      Optional<String> snapshot,
      Optional<Map<String, String>> labels,
      Optional<String> state,
      Optional<String> errorReason,
      boolean recoverable,
      Optional<String> updatedAt,
      Optional<Boolean> networkBlockAll,
      Optional<String> networkAllowList,
      Optional<String> domainAllowList,
      Optional<String> toolboxProxyUrl) {

    Machine at(String proxy) {
      return new Machine(
          id,
          name,
          snapshot,
          labels,
          state,
          errorReason,
          recoverable,
          updatedAt,
          networkBlockAll,
          networkAllowList,
          domainAllowList,
          Optional.of(proxy));
    }

    String stateOrUnknown() {
      return state.orElse("unknown");
    }

    /// What is to be done with it so that it runs.
    Step nextStep() {
      return isStuck() ? Step.REPLACE : step(state, recoverable);
    }

    String whyBroken() {
      return isStuck()
          ? stateOrUnknown() + " since " + updatedAt.orElse("long ago")
          : errorReason.orElse(stateOrUnknown());
    }

    Network network() {
      return Network.of(networkBlockAll, networkAllowList, domainAllowList);
    }

    private boolean isStuck() {
      return changed()
          .map(at -> Duration.between(at, Instant.now()))
          .filter(State.of(stateOrUnknown())::isStuckAfter)
          .isPresent();
    }

    private Optional<Instant> changed() {
      try {
        return updatedAt.map(at -> OffsetDateTime.parse(at).toInstant());
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }

    private static Step step(Optional<String> state, boolean recoverable) {
      var step = State.of(state.orElse("unknown")).step();
      return step == Step.RECOVER && !recoverable ? Step.REPLACE : step;
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
      return switch (Machine.step(state, recoverable)) {
        case USE, WAIT, START, RECOVER -> true;
        case REPLACE, FORGET -> false;
      };
    }
  }

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Snapshot(String id, String state) {}
}
