package dev.gorkie.local.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShapesTest {

  @TempDir Path directory;

  @Test
  void what_the_service_would_pass_over_is_done_and_told() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();

      var created =
          client.api("POST", "/sandbox", "{\"name\":\"a\",\"autostop\":5,\"public\":\"no\"}");
      client.api("PUT", "/sandbox/a/labels", "{}");
      client.api("GET", "/sandbox?limit=many&verbose=yes");
      client.api("POST", "/sandbox/a/ttl/soon");
      client.api("POST", "/sandbox/a/start", "{\"force\":true}");
      client.api("GET", "/sandbox/a/hibernate");

      assertEquals(200, created.status());
      assertEquals(
          List.of(
              "POST /api/sandbox: nobody knows the body's autostop",
              "POST /api/sandbox: public is no boolean",
              "PUT /api/sandbox/a/labels: labels is missing",
              "GET /api/sandbox: limit is no number",
              "GET /api/sandbox: nobody knows the query's verbose",
              "POST /api/sandbox/a/ttl/soon: ttlMinutes is no number",
              "POST /api/sandbox/a/start: has a body, which nobody reads",
              "GET /api/sandbox/a/hibernate: is none that is known"),
          world.daytona().misunderstandings());
    }
  }

  @Test
  void what_is_right_is_not_told() throws Exception {
    try (var world = World.in(directory)) {
      var sandbox = world.client().createReady("a");
      world.client().toolbox(sandbox, "GET", "/files/info?path=/tmp");
      world.client().execute(sandbox, "true");
      world.client().rawTerminal(sandbox);

      assertEquals(List.of(), world.daytona().misunderstandings());
    }
  }
}
