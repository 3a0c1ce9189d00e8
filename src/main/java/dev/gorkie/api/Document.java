package dev.gorkie.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.tokens.Scope;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Set;

/// The API as OpenAPI describes it. What requests hold is told by the shapes that read them; the rest is written down here, and a
/// test holds it against the routes and their answers.
final class Document {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OBJECT = "#/components/schemas/";

  private static final String HEAD =
      """
      {
        "openapi": "3.1.0",
        "info": {
          "title": "Gorkie's sandboxes",
          "version": "1",
          "description": "Linux machines for programs. A session is a name of your own choice; what comes under the same name finds the same files. What takes longer than 25 s answers 202 and a place to ask."
        },
        "security": [{"token": []}],
        "paths": {},
        "components": {
          "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "What “make token” printed. Each operation names the scope that it takes."}},
          "schemas": {}
        }
      }
      """;

  private static final String SCHEMAS =
      """
      {
        "Problem": {"type": "object", "required": ["type", "status", "code", "title", "detail"], "properties": {
          "type": {"type": "string"}, "status": {"type": "integer"}, "code": {"type": "string"}, "title": {"type": "string"},
          "detail": {"type": "string"}}},
        "Execution": {"type": "object", "required": ["ok", "exit_code", "timed_out", "duration_ms", "stdout", "stderr", "truncated",
          "stdout_bytes", "stderr_bytes", "artifacts"], "properties": {
          "operation": {"type": "string"},
          "ok": {"type": "boolean", "description": "Whether it ended by itself, with exit code 0."},
          "exit_code": {"type": "integer", "minimum": 0, "maximum": 255},
          "timed_out": {"type": "boolean"}, "duration_ms": {"type": "integer"},
          "stdout": {"type": "string"}, "stderr": {"type": "string"},
          "truncated": {"type": "boolean", "description": "Whether of an output only the beginning and the end are told, with a line between them that says how much is left out."},
          "stdout_bytes": {"type": "integer", "description": "All of it."}, "stderr_bytes": {"type": "integer"},
          "artifacts": {"type": "array", "description": "What has come into output/ meanwhile: up to 20 files of up to 100 MiB.", "items": {"$ref": "#/components/schemas/Made"}},
          "replaced": {"$ref": "#/components/schemas/Replaced"},
          "advice": {"type": "string", "description": "Where the policy means other languages to be used."}}},
        "Replaced": {"type": "string", "enum": ["files_lost", "carried_over"], "description": "Since the last operation the sandbox was replaced by another, which has the files or not."},
        "Made": {"type": "object", "required": ["path", "name", "type", "size", "sha256"], "properties": {
          "id": {"type": "string"}, "path": {"type": "string"}, "name": {"type": "string"}, "type": {"type": "string"},
          "size": {"type": "integer"}, "sha256": {"type": "string"}}},
        "Text": {"type": "object", "required": ["path", "content", "lines", "truncated"], "properties": {
          "operation": {"type": "string"}, "path": {"type": "string"}, "content": {"type": "string"}, "lines": {"type": "integer"},
          "truncated": {"type": "boolean", "description": "Whether there are more lines, or a line is longer than 2,000 characters."},
          "next_offset": {"type": "integer", "description": "Where to read on."}, "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Binary": {"type": "object", "required": ["path"], "properties": {
          "operation": {"type": "string"}, "path": {"type": "string"}, "size": {"type": "integer"},
          "base64": {"type": "string", "description": "Up to 500 KiB."},
          "artifact": {"$ref": "#/components/schemas/Made"}, "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Written": {"type": "object", "required": ["path", "size"], "properties": {
          "operation": {"type": "string"}, "path": {"type": "string"}, "size": {"type": "integer"},
          "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Copied": {"type": "object", "required": ["files"], "properties": {
          "operation": {"type": "string"},
          "files": {"type": "array", "items": {"type": "object", "required": ["path"], "properties": {
            "path": {"type": "string"}, "size": {"type": "integer"}, "error": {"type": "string"}}}},
          "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Matches": {"type": "object", "required": ["matches", "truncated"], "properties": {
          "operation": {"type": "string"},
          "matches": {"type": "array", "items": {"type": "object", "required": ["path", "line", "text"], "properties": {
            "path": {"type": "string"}, "line": {"type": "integer"}, "text": {"type": "string"}}}},
          "truncated": {"type": "boolean", "description": "Whether there are more, or it took longer than 15 s."},
          "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Paths": {"type": "object", "required": ["paths", "truncated"], "properties": {
          "operation": {"type": "string"}, "paths": {"type": "array", "items": {"type": "string"}}, "truncated": {"type": "boolean"},
          "replaced": {"$ref": "#/components/schemas/Replaced"}}},
        "Later": {"type": "object", "required": ["operation", "state", "location"], "properties": {
          "operation": {"type": "string"}, "state": {"type": "string", "enum": ["running"]}, "location": {"type": "string"}}},
        "Operation": {"type": "object", "required": ["operation", "kind", "state", "accepted_at"], "properties": {
          "operation": {"type": "string"}, "kind": {"type": "string"}, "state": {"type": "string", "enum": ["running", "done"]},
          "session": {"type": "string"}, "accepted_at": {"type": "string"},
          "result": {"type": "object", "description": "What the request would have been answered with."},
          "problem": {"$ref": "#/components/schemas/Problem"}}},
        "Output": {"type": "object", "required": ["state", "stdout", "stderr"], "properties": {
          "state": {"type": "string", "enum": ["running", "done"]},
          "stdout": {"$ref": "#/components/schemas/Piece"}, "stderr": {"$ref": "#/components/schemas/Piece"}}},
        "Piece": {"type": "object", "required": ["text", "next"], "properties": {"text": {"type": "string"},
          "next": {"type": "integer", "description": "The offset with which to go on."}}},
        "Artifact": {"type": "object", "required": ["id", "operation", "path", "name", "type", "size", "sha256", "created_at"], "properties": {
          "id": {"type": "string"}, "operation": {"type": "string"}, "path": {"type": "string"}, "name": {"type": "string"},
          "type": {"type": "string"}, "size": {"type": "integer"}, "sha256": {"type": "string"}, "created_at": {"type": "string"}}},
        "Address": {"type": "object", "required": ["artifact", "url"], "properties": {"artifact": {"type": "string"},
          "url": {"type": "string", "description": "Good for five minutes, and for whoever has it."}}},
        "Sessions": {"type": "object", "required": ["sessions"], "properties": {
          "sessions": {"type": "array", "items": {"type": "object", "required": ["tenant", "session", "ephemeral", "running", "created_at", "used_at"], "properties": {
            "tenant": {"type": "string"}, "session": {"type": "string"}, "ephemeral": {"type": "boolean"}, "running": {"type": "integer"},
            "policy": {"type": "string"}, "status": {"type": "string"}, "created_at": {"type": "string"}, "used_at": {"type": "string"}}}},
          "after": {"type": "string", "description": "With which to ask for the next ones."}}},
        "Policy": {"type": "object", "required": ["tenant", "name", "runtimes", "environment"], "properties": {
          "tenant": {"type": "string"}, "name": {"type": "string"}, "network": {"type": "string"}, "memory_mb": {"type": "integer"},
          "timeout": {"type": "integer"}, "runtimes": {"type": "array", "items": {"type": "string"}},
          "environment": {"type": "array", "description": "The names alone.", "items": {"type": "string"}}}},
        "Policies": {"type": "object", "required": ["policies"], "properties": {
          "policies": {"type": "array", "items": {"$ref": "#/components/schemas/Policy"}}}}
      }
      """;

  private static final Parameter WAIT =
      Parameter.query(
          "wait", "integer", "So many seconds at most, while there is nothing new; up to 25.");

  private Document() {}

  /// What stands in a route's path or behind it.
  private record Parameter(String name, String in, String type, String form, String says) {

    static Parameter query(String name, String type, String says) {
      return new Parameter(name, "query", type, "", says);
    }

    static Parameter path(String name, String form, String says) {
      return new Parameter(name, "path", "string", form, says);
    }
  }

  private record Route(
      String method,
      String path,
      String says,
      Set<Scope> scopes,
      String answer,
      List<Parameter> parameters) {

    Route(
        String method,
        String path,
        String says,
        Scope scope,
        String answer,
        List<Parameter> parameters) {
      this(method, path, says, Set.of(scope), answer, parameters);
    }
  }

  private static final Parameter ID = Parameter.path("id", "", "As it was answered.");
  private static final Parameter TENANT = Parameter.path("tenant", Names.TENANT, "A tenant.");
  private static final Parameter SESSION =
      Parameter.path("session", Names.SESSION, "The program's own name for it.");
  private static final Parameter POLICY = Parameter.path("name", Names.POLICY, "Of the policy.");

  private static final List<Route> OTHERS =
      List.of(
          new Route(
              "get",
              "/operations/{id}",
              "How an operation stands, and what came of it",
              Scope.OF_PROGRAMS,
              "Operation",
              List.of(ID, WAIT)),
          new Route(
              "get",
              "/operations/{id}/output",
              "What an operation prints, piece by piece",
              Scope.OF_PROGRAMS,
              "Output",
              List.of(
                  ID,
                  Parameter.query("stdout", "integer", "The offset to go on from, 0 at first."),
                  Parameter.query("stderr", "integer", "The same of the other output."),
                  WAIT)),
          new Route(
              "get",
              "/operations/{id}/events",
              "The same as it comes: events “output”, and at the end “done”; on a server only",
              Scope.OF_PROGRAMS,
              Answers.EVENTS,
              List.of(ID)),
          new Route(
              "get",
              "/artifacts/{id}",
              "What is known of an artifact",
              Scope.READ,
              "Artifact",
              List.of(ID)),
          new Route(
              "get",
              "/artifacts/{id}/content",
              "Its bytes, or a redirect to where they are",
              Scope.READ,
              "application/octet-stream",
              List.of(ID)),
          new Route(
              "get",
              "/artifacts/{id}/address",
              "An address from which it can be fetched without a token",
              Scope.READ,
              "Address",
              List.of(ID)),
          new Route(
              "get",
              "/sessions",
              "The sessions of all tenants, or of one",
              Scope.ADMIN,
              "Sessions",
              List.of(
                  Parameter.query("tenant", "string", "Of this one only."),
                  Parameter.query("after", "string", "As it was answered with the ones before."))),
          new Route(
              "delete",
              "/sessions/{tenant}/{session}",
              "Removes a session with its sandbox and all that is in it",
              Scope.ADMIN,
              "",
              List.of(TENANT, SESSION)),
          new Route(
              "get",
              "/policies/{tenant}",
              "A tenant's policies",
              Scope.ADMIN,
              "Policies",
              List.of(TENANT)),
          new Route(
              "get",
              "/policies/{tenant}/{name}",
              "A policy",
              Scope.ADMIN,
              "Policy",
              List.of(TENANT, POLICY)),
          new Route(
              "put",
              "/policies/{tenant}/{name}",
              "Makes or changes a policy",
              Scope.ADMIN,
              "Policy",
              List.of(TENANT, POLICY)),
          new Route(
              "delete",
              "/policies/{tenant}/{name}",
              "Removes a policy",
              Scope.ADMIN,
              "",
              List.of(TENANT, POLICY)));

  static ObjectNode json() {
    var document = parsed(HEAD);
    var paths = document.withObject("/paths");
    for (var call : Call.values()) {
      of(paths, call);
    }
    OTHERS.forEach(route -> of(paths, route));
    var own = operation(paths, "get", "/openapi.json", "This document");
    own.putArray("security");
    answer(own.withObject("/responses"), "200", MediaType.APPLICATION_JSON);
    document.withObject("/components").set("schemas", parsed(SCHEMAS));
    return document;
  }

  private static void of(ObjectNode paths, Call call) {
    var operation = operation(paths, "post", "/" + call.path(), call.says());
    scope(operation, Set.of(call.scope()));
    if (call.scope() != Scope.READ) {
      parameter(
          operation,
          new Parameter(
              Key.HEADER,
              "header",
              "string",
              Key.FORM,
              "Sent again under the same key within a day, the request is answered again and not carried out again."));
    }
    operation
        .putObject("requestBody")
        .put("required", true)
        .putObject("content")
        .putObject("application/json")
        .set("schema", call.shape().schema());
    var responses = operation.withObject("/responses");
    answer(responses, "200", answer(call));
    answer(responses, "202", "Later");
    problems(responses);
  }

  private static String answer(Call call) {
    return switch (call.kind()) {
      case EXECUTE -> "Execution";
      case READ -> "Text";
      case READ_BINARY -> "Binary";
      case WRITE -> "Written";
      case COPY -> "Copied";
      case GREP -> "Matches";
      case GLOB -> "Paths";
    };
  }

  private static void of(ObjectNode paths, Route route) {
    var operation = operation(paths, route.method(), route.path(), route.says());
    scope(operation, route.scopes());
    route.parameters().forEach(parameter -> parameter(operation, parameter));
    if (route.method().equals("put")) {
      operation
          .putObject("requestBody")
          .put("required", true)
          .putObject("content")
          .putObject("application/json")
          .set("schema", PoliciesDoor.SHAPE.schema());
    }
    var responses = operation.withObject("/responses");
    if (route.answer().isEmpty()) {
      responses.putObject("204").put("description", "There is none any more.");
    } else {
      answer(responses, "200", route.answer());
    }
    if (route.path().endsWith("/content")) {
      responses.putObject("303").put("description", "It is to be fetched there.");
    }
    problems(responses);
  }

  private static ObjectNode operation(ObjectNode paths, String method, String path, String says) {
    return paths
        .withObject("/" + ("/v1/sandbox" + path).replace("~", "~0").replace("/", "~1"))
        .putObject(method)
        .put("summary", says)
        .put("operationId", method + path.replaceAll("[^a-z_]+", "_").replaceAll("_$", ""));
  }

  private static void scope(ObjectNode operation, Set<Scope> anyOf) {
    operation.put("description", "Takes the scope " + Doorkeeper.told(anyOf) + ".");
  }

  private static void parameter(ObjectNode operation, Parameter parameter) {
    var told =
        operation
            .withArray("/parameters")
            .addObject()
            .put("name", parameter.name())
            .put("in", parameter.in())
            .put("required", parameter.in().equals("path"))
            .put("description", parameter.says());
    var schema = told.putObject("schema").put("type", parameter.type());
    if (!parameter.form().isEmpty()) {
      schema.put("pattern", "^(?:" + parameter.form() + ")$");
    }
    if (parameter.type().equals("integer")) {
      schema.put("minimum", 0);
      if (parameter.name().equals("wait")) {
        schema.put("maximum", 25);
      }
    }
  }

  private static void answer(ObjectNode responses, String status, String answer) {
    var response =
        responses
            .putObject(status)
            .put("description", status.equals("202") ? "It goes on." : "Done.");
    if (answer.contains("/")) {
      response.putObject("content").putObject(answer);
    } else {
      response
          .putObject("content")
          .putObject("application/json")
          .putObject("schema")
          .put("$ref", OBJECT + answer);
    }
  }

  private static void problems(ObjectNode responses) {
    responses
        .putObject("default")
        .put("description", "Why not.")
        .putObject("content")
        .putObject(Problem.TYPE)
        .putObject("schema")
        .put("$ref", OBJECT + "Problem");
  }

  private static ObjectNode parsed(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What stands here is JSON", e);
    }
  }
}
