package dev.gorkie.daytona;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quarkus.rest.client.reactive.Url;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;

/// What a machine does for us from the inside, where it is short. Each machine has an address of its own.
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
interface Toolbox {

  @GET
  @Path("version")
  Uni<Void> version(@Url String toolbox);

  @GET
  @Path("user-home-dir")
  Uni<Directory> homeDirectory(@Url String toolbox);

  @GET
  @Path("work-dir")
  Uni<Directory> workDirectory(@Url String toolbox);

  @GET
  @Path("files/info")
  Uni<Entry> info(@Url String toolbox, @QueryParam("path") String path);

  @POST
  @Path("files/folder")
  Uni<Void> createDirectory(
      @Url String toolbox, @QueryParam("path") String path, @QueryParam("mode") String mode);

  @POST
  @Path("files/move")
  Uni<Void> move(
      @Url String toolbox,
      @QueryParam("source") String source,
      @QueryParam("destination") String destination);

  @DELETE
  @Path("files")
  Uni<Void> delete(@Url String toolbox, @QueryParam("path") String path);

  @POST
  @Path("process/execute")
  Uni<Ended> execute(@Url String toolbox, Command command);

  @POST
  @Path("process/pty")
  Uni<Void> createTerminal(@Url String toolbox, NewTerminal terminal);

  @DELETE
  @Path("process/pty/{id}")
  Uni<Void> deleteTerminal(@Url String toolbox, @PathParam("id") String id);

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Directory(String dir) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Entry(String name, long size, boolean isDir) {}

  @RegisterForReflection
  record Command(String command, String cwd, long timeout) {}

  @RegisterForReflection
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Ended(int exitCode, Optional<String> result) {}

  @RegisterForReflection
  record NewTerminal(String id, String cwd, Map<String, String> envs, int cols, int rows) {}
}
