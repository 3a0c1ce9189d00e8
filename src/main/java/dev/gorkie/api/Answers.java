package dev.gorkie.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.workbench.Artifact;
import dev.gorkie.workbench.Outcome;
import dev.gorkie.workbench.Piece;
import dev.gorkie.workbench.Policy;
import dev.gorkie.workbench.Session;
import dev.gorkie.workbench.Standing;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How programs are answered.
final class Answers {

  static final String EVENTS = "text/event-stream";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);
  private static final Duration TRY_AGAIN = Duration.ofSeconds(60);

  private Answers() {}

  static Response json(int status, ObjectNode body) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header("Cache-Control", "no-store")
        .entity(body.toString())
        .build();
  }

  static Response of(String operation, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Done(var result) -> json(200, result.deepCopy().put("operation", operation));
      case Outcome.Refused refused -> problem(refused).response();
    };
  }

  /// It goes on; there it can be asked for.
  static Response later(String operation) {
    var place = "/v1/sandbox/operations/" + operation;
    return Response.status(202)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .location(URI.create(place))
        .header("Retry-After", ASK_AGAIN.toSeconds())
        .header("Cache-Control", "no-store")
        .entity(
            JSON.createObjectNode()
                .put("operation", operation)
                .put("state", "running")
                .put("location", place)
                .toString())
        .build();
  }

  static Response standing(Standing standing) {
    return json(200, body(standing));
  }

  private static ObjectNode body(Standing standing) {
    var body =
        JSON.createObjectNode()
            .put("operation", standing.id())
            .put("kind", standing.kind().wire())
            .put("state", standing.outcome().isPresent() ? "done" : "running")
            .put("accepted_at", standing.accepted().toString());
    standing.session().ifPresent(session -> body.put("session", session));
    switch (standing.outcome().orElse(null)) {
      case Outcome.Done(var result) -> body.set("result", result);
      case Outcome.Refused refused -> body.set("problem", problem(refused).json());
      case null -> {}
    }
    return body;
  }

  static Response piece(Piece piece) {
    var body = JSON.createObjectNode().put("state", piece.over() ? "done" : "running");
    body.putObject("stdout").put("text", piece.stdout()).put("next", piece.stdoutNext());
    body.putObject("stderr").put("text", piece.stderr()).put("next", piece.stderrNext());
    return json(200, body);
  }

  /// What was printed, an event for each output; a comment where there was nothing.
  static String events(Piece piece) {
    var events = new StringBuilder();
    event(events, "stdout", piece.stdout(), piece.stdoutNext());
    event(events, "stderr", piece.stderr(), piece.stderrNext());
    return events.isEmpty() ? ":\n\n" : events.toString();
  }

  private static void event(StringBuilder events, String output, String text, long next) {
    if (!text.isEmpty()) {
      append(
          events,
          "output",
          JSON.createObjectNode().put("output", output).put("text", text).put("next", next));
    }
  }

  /// The same that is answered to whoever asks how it stands.
  static String lastEvent(Standing standing) {
    var events = new StringBuilder();
    append(events, "done", body(standing));
    return events.toString();
  }

  // JSON as we write it has no line's end in it.
  private static void append(StringBuilder events, String event, ObjectNode data) {
    events.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
  }

  static Response artifact(Artifact artifact) {
    return json(
        200,
        JSON.createObjectNode()
            .put("id", artifact.id())
            .put("operation", artifact.operation())
            .put("path", artifact.path())
            .put("name", artifact.name())
            .put("type", artifact.type())
            .put("size", artifact.bytes())
            .put("sha256", artifact.sha256())
            .put("created_at", artifact.created().toString()));
  }

  static Response sessions(List<Session> sessions, int page) {
    var body = JSON.createObjectNode();
    var list = body.putArray("sessions");
    for (var session : sessions) {
      var one =
          list.addObject()
              .put("tenant", session.tenant())
              .put("session", session.name())
              .put("ephemeral", session.ephemeral())
              .put("running", session.open())
              .put("created_at", session.created().toString())
              .put("used_at", session.used().toString());
      session.policy().ifPresent(policy -> one.put("policy", policy));
      session.status().ifPresent(status -> one.put("status", status));
    }
    if (sessions.size() == page) {
      body.put("after", sessions.getLast().id());
    }
    return json(200, body);
  }

  static Response policies(List<Policy> policies) {
    var body = JSON.createObjectNode();
    var list = body.putArray("policies");
    policies.forEach(policy -> list.add(policy(policy)));
    return json(200, body);
  }

  /// Of the environment the names only.
  static ObjectNode policy(Policy policy) {
    var body = JSON.createObjectNode().put("tenant", policy.tenant()).put("name", policy.name());
    policy.network().ifPresent(network -> body.put("network", network));
    policy.memoryMb().ifPresent(most -> body.put("memory_mb", most));
    policy.timeoutSeconds().ifPresent(most -> body.put("timeout", most));
    var runtimes = body.putArray("runtimes");
    policy.runtimes().forEach(runtimes::add);
    var environment = body.putArray("environment");
    policy.environment().keySet().forEach(environment::add);
    return body;
  }

  /// The sandbox's word for it, or that of whoever could not reach it.
  private static Problem problem(Outcome.Refused refused) {
    return switch (refused.word()) {
      case "missing" -> new Problem(404, "missing", "There is no such file", refused.sentence());
      case "too_large" -> new Problem(413, "too_large", "That is too large", refused.sentence());
      case "lost" -> new Problem(409, "lost", "Nobody knows what came of it", refused.sentence());
      case "disk_full" -> new Problem(507, "disk_full", "The disk is full", refused.sentence());
      case "outside", "not_a_file", "binary", "bad_pattern", "not_here" ->
          Problem.wrong(refused.word(), refused.sentence());
      case "unreachable", "too_slow", "no_room" ->
          new Problem(
              503,
              refused.word(),
              "The sandbox can't be had now",
              refused.sentence(),
              Optional.of(TRY_AGAIN));
      default -> new Problem(502, refused.word(), "The sandbox failed", refused.sentence());
    };
  }
}
