package dev.gorkie.api;

import dev.gorkie.settings.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// The API's own description, for everybody.
@Path("/v1/sandbox/openapi.json")
@RunOnVirtualThread
class DocumentDoor {

  private final Role role;

  @Inject
  DocumentDoor(Role role) {
    this.role = role;
  }

  @GET
  public Response document() {
    return role.hearsPrograms()
        ? Response.ok(Document.json().toString(), MediaType.APPLICATION_JSON_TYPE).build()
        : Response.status(404).build();
  }
}
