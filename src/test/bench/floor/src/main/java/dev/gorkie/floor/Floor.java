package dev.gorkie.floor;

import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/// Takes an event and says so.
@Path("/slack/events")
public class Floor {

  @POST
  public void take(byte[] body) {}
}
