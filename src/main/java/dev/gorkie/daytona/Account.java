package dev.gorkie.daytona;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;

/// What Daytona tells of an account. Only an operator's own look asks for it, and only that one deletes a machine.
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
interface Account {

  @GET
  @Path("config")
  Uni<Config> config();

  @GET
  @Path("api-keys/current")
  Uni<Key> key();

  @GET
  @Path("organizations/{id}")
  Uni<Organization> organization(@PathParam("id") String id);

  @GET
  @Path("organizations/{id}/usage")
  Uni<Usage> usage(@PathParam("id") String id);

  @GET
  @Path("snapshots/{idOrName}")
  Uni<Image> image(@PathParam("idOrName") String idOrName);

  @GET
  @Path("secret/paginated")
  Uni<SecretPage> secrets(@QueryParam("name") String name, @QueryParam("limit") int limit);

  @DELETE
  @Path("sandbox/{id}")
  Uni<Void> delete(@PathParam("id") String id);

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Config(Optional<String> version) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Key(Optional<List<String>> permissions) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Organization(
      Optional<String> name,
      boolean suspended,
      Optional<String> suspensionReason,
      boolean sandboxLimitedNetworkEgress) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Usage(Optional<List<Region>> regionUsage) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Region(
      String regionId,
      double totalCpuQuota,
      double currentCpuUsage,
      double totalMemoryQuota,
      double currentMemoryUsage,
      double totalDiskQuota,
      double currentDiskUsage) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Image(
      String organizationId, String name, String state, double cpu, double mem, double disk) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record SecretPage(List<Secret> items) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Secret(String name, Optional<List<String>> hosts) {}
}
