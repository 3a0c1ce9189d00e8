package dev.gorkie.ingress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whatever can be reached from outside, and what keeps it.
class RoutesTest {

  private static final String A_TOKEN = "a token and its scope";

  /// Every route has a line here. `DoorIT` tries those that want a signature without one.
  static final Map<String, String> KEPT_BY =
      Map.ofEntries(
          Map.entry("POST /slack/events", "a signature"),
          Map.entry("POST /slack/interactions", "a signature"),
          Map.entry("POST /slack/commands", "a signature"),
          Map.entry("POST /sandbox-jobs/{id}/complete", "the job's own token"),
          Map.entry("GET /slack/install", "nothing: it leads to Slack's own page"),
          Map.entry("GET /slack/oauth", "what was signed for one browser"),
          Map.entry("POST /internal/deliveries", "Lambda: in a server it does not exist"),
          Map.entry("POST /v1/sandbox/execute", A_TOKEN),
          Map.entry("POST /v1/sandbox/bash", A_TOKEN),
          Map.entry("POST /v1/sandbox/read", A_TOKEN),
          Map.entry("POST /v1/sandbox/read_binary", A_TOKEN),
          Map.entry("POST /v1/sandbox/write", A_TOKEN),
          Map.entry("POST /v1/sandbox/copy", A_TOKEN),
          Map.entry("POST /v1/sandbox/grep", A_TOKEN),
          Map.entry("POST /v1/sandbox/glob", A_TOKEN),
          Map.entry("GET /v1/sandbox/operations/{id}", A_TOKEN),
          Map.entry("GET /v1/sandbox/operations/{id}/output", A_TOKEN),
          Map.entry("GET /v1/sandbox/operations/{id}/events", A_TOKEN),
          Map.entry("GET /v1/sandbox/artifacts/{id}", A_TOKEN),
          Map.entry("GET /v1/sandbox/artifacts/{id}/content", A_TOKEN),
          Map.entry("GET /v1/sandbox/artifacts/{id}/address", A_TOKEN),
          Map.entry("GET /v1/sandbox/sessions", A_TOKEN),
          Map.entry("DELETE /v1/sandbox/sessions/{tenant}/{session}", A_TOKEN),
          Map.entry("GET /v1/sandbox/policies/{tenant}", A_TOKEN),
          Map.entry("GET /v1/sandbox/policies/{tenant}/{name}", A_TOKEN),
          Map.entry("PUT /v1/sandbox/policies/{tenant}/{name}", A_TOKEN),
          Map.entry("DELETE /v1/sandbox/policies/{tenant}/{name}", A_TOKEN),
          Map.entry("GET /v1/sandbox/openapi.json", "nothing: it is the same for everybody"),
          Map.entry("POST /internal/operations", "Lambda: in a server it does not exist"),
          Map.entry("POST /internal/wakes", "Lambda: in a server it does not exist"),
          Map.entry("POST /internal/sweeps", "Lambda: in a server it does not exist"),
          Map.entry("GET /healthz", "nothing: it says whether we are well"),
          Map.entry("GET /readyz", "nothing: it says whether we are well"),
          Map.entry("GET /readyz/door", "nothing: it says whether we are well"),
          Map.entry("GET /metrics", "nothing: numbers that name no person and no thread"));

  @Test
  void every_route_has_a_keeper() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    var routes = new TreeMap<String, String>();
    for (var type :
        new ClassFileImporter().importPath(java.nio.file.Path.of("target", "classes"))) {
      // What begins with one is a client of ours.
      if (type.isAnnotatedWith(Path.class) && !type.isInterface()) {
        methods(type).forEach(route -> routes.put(route, KEPT_BY.getOrDefault(route, "nobody")));
      }
    }

    assertEquals(new TreeMap<>(KEPT_BY), routes);
  }

  private static Stream<String> methods(JavaClass type) {
    return type.getMethods().stream()
        .flatMap(
            method ->
                verb(method)
                    .map(
                        verb ->
                            verb
                                + " "
                                + ("/" + path(type) + "/" + path(method)).replaceAll("/+", "/"))
                    .map(route -> route.replaceAll("(?<=.)/$", "")));
  }

  /// What is none of these would be missed, so that the rest is named as what it is.
  private static Stream<String> verb(JavaMethod method) {
    return Stream.of(
            GET.class, POST.class, PUT.class, PATCH.class, DELETE.class, HEAD.class, OPTIONS.class)
        .filter(method::isAnnotatedWith)
        .map(Class::getSimpleName);
  }

  private static String path(JavaClass type) {
    return type.getAnnotationOfType(Path.class).value();
  }

  private static String path(JavaMethod method) {
    return method.isAnnotatedWith(Path.class) ? method.getAnnotationOfType(Path.class).value() : "";
  }
}
