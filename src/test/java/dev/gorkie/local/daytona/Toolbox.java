package dev.gorkie.local.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.LiveSocket;
import dev.gorkie.local.web.Routes;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.regex.Pattern;

/// What a sandbox answers itself, and the proxy on the way to it, which answers for one that does not run.
final class Toolbox {

  static final String VERSION = "0.205.1";

  private static final Pattern PATH = Pattern.compile("/([^/]+)(/.*)");
  private static final Duration ERROR_FRAME_MAX = Duration.ofSeconds(1);

  private final Fleet fleet;
  private final Presence presence;
  private final Faults faults;
  private final Duration warmUp;
  private final Credentials credentials;

  Toolbox(Fleet fleet, Presence presence, Faults faults, Duration warmUp, Credentials credentials) {
    this.fleet = fleet;
    this.presence = presence;
    this.faults = faults;
    this.warmUp = warmUp;
    this.credentials = credentials;
  }

  /// `path` is what follows the toolbox's own address.
  Answer answer(Call call, String path) throws Exception {
    var match = PATH.matcher(path);
    if (!match.matches()) {
      return ErrorBody.ofControlPlane(call, new Refused(404, "Not found"));
    }
    var machine = fleet.byId(match.group(1));
    try {
      if (!Signed.isGood(call, machine, match.group(2))) {
        credentials.checkToolbox(call, machine);
      }
    } catch (Refused refused) {
      return ErrorBody.ofControlPlane(call, refused);
    }
    if (machine.isEmpty()) {
      return ErrorBody.ofControlPlane(
          call, new Refused(404, "Sandbox with ID or name " + match.group(1) + " not found"));
    }
    return proxied(call, machine.get(), match.group(2));
  }

  private Answer proxied(Call call, Machine machine, String path) throws Exception {
    var state = machine.state();
    if (state.isTransition()
        || (state == State.STARTED && machine.inStateFor().compareTo(warmUp) < 0)) {
      return Answer.empty(502);
    }
    if (state == State.ARCHIVED) {
      return ErrorBody.ofControlPlane(
          call, new Refused(400, "bad request: failed to get runner info: sandbox has no runner"));
    }
    if (state != State.STARTED) {
      return ErrorBody.ofControlPlane(
          call,
          new Refused(
              400, "bad request: no IP address found for sandbox. Is the Sandbox started?"));
    }
    if (call.header("X-Daytona-Skip-Last-Activity-Update").filter("true"::equals).isPresent()) {
      return daemon(call, machine, path);
    }
    try (var _ = presence.enter(machine)) {
      return daemon(call, machine, path);
    }
  }

  private Answer daemon(Call call, Machine machine, String path) throws Exception {
    try {
      return routes(machine)
          .answer(call, path)
          .orElseThrow(() -> new Refused(404, "404 page not found"));
    } catch (Refused refused) {
      return ErrorBody.ofDaemon(call, path, refused);
    } catch (JsonProcessingException malformed) {
      return ErrorBody.ofDaemon(
          call, path, new Refused(400, "invalid request body: " + malformed.getOriginalMessage()));
    } catch (IOException failure) {
      return ErrorBody.ofDaemon(call, path, refusal(failure));
    }
  }

  private Routes routes(Machine machine) {
    var terminals = machine.terminals();
    var shell = terminals.shell();
    var files = new SandboxFiles(shell);
    return new Routes()
        .on("GET", "/version", (_, _) -> ok("version", VERSION))
        .on("GET", "/work-dir", (_, _) -> ok("dir", shell.work().toString()))
        .on("GET", "/user-home-dir", (_, _) -> ok("dir", shell.home().toString()))
        .on("GET", "/files", (call, _) -> files.list(call))
        .on("DELETE", "/files", (call, _) -> files.delete(call))
        .on("GET", "/files/info", (call, _) -> files.info(call))
        .on("POST", "/files/folder", (call, _) -> files.createDirectory(call))
        .on("POST", "/files/bulk-upload", (call, _) -> files.uploadMany(call))
        .on("POST", "/files/upload-v2", (call, _) -> files.upload(call))
        .on("POST", "/files/upload", (call, _) -> files.upload(call))
        .on("GET", "/files/download", (call, _) -> files.download(call))
        .on("GET", "/files/search", (call, _) -> files.search(call))
        .on("POST", "/files/move", (call, _) -> files.move(call))
        .on("POST", "/files/permissions", (call, _) -> files.setPermissions(call))
        .on(
            "POST",
            "/process/execute",
            (call, _) -> Answer.json(200, terminals.execute(call.json())))
        .on("POST", "/process/pty", (call, _) -> createTerminal(call, terminals))
        .on("GET", "/process/pty", (_, _) -> listTerminals(terminals))
        .on("GET", "/process/pty/create-connect", (call, _) -> createAndConnect(call, machine))
        .on(
            "GET",
            "/process/pty/{id}",
            (_, parts) -> Answer.json(200, find(terminals, parts.of("id"), 404).facts()))
        .on(
            "DELETE",
            "/process/pty/{id}",
            (_, parts) -> {
              find(terminals, parts.of("id"), 404).kill();
              return ok("message", "PTY session deleted");
            })
        .on(
            "POST",
            "/process/pty/{id}/resize",
            (call, parts) -> {
              var terminal = find(terminals, parts.of("id"), 410);
              terminal.resize(Terminals.size(call.json(), 0, 0));
              return Answer.json(200, terminal.facts());
            })
        .on("GET", "/process/pty/{id}/connect", (_, parts) -> connect(machine, parts.of("id")));
  }

  private Answer createTerminal(Call call, Terminals terminals) throws IOException {
    checkTerminals();
    var wish = call.json();
    terminals.create(wish);
    return Answer.json(201, Json.object().put("sessionId", wish.path("id").asText()));
  }

  private Answer createAndConnect(Call call, Machine machine) throws IOException {
    checkTerminals();
    var wish = Json.object();
    call.query("id").ifPresent(id -> wish.put("id", id));
    call.query("cwd").ifPresent(directory -> wish.put("cwd", directory));
    call.query("cols").ifPresent(columns -> wish.put("cols", columns));
    call.query("rows").ifPresent(rows -> wish.put("rows", rows));
    wish.put("lazyStart", true);
    machine.terminals().create(wish);
    return connect(machine, wish.path("id").asText());
  }

  private static Answer listTerminals(Terminals terminals) {
    var answer = Json.object();
    var sessions = answer.putArray("sessions");
    terminals.all().forEach(terminal -> sessions.add(terminal.facts()));
    return Answer.json(200, answer);
  }

  /// The upgrade always succeeds; that there is nothing to connect to is said afterwards.
  private Answer connect(Machine machine, String id) {
    checkTerminals();
    return new Answer.Upgraded(
        socket -> {
          var open = presence.enter(machine);
          socket.onClose(open::close);
          try {
            machine
                .terminals()
                .find(id)
                .orElseThrow(() -> new IOException("PTY session " + id + " not found"))
                .attach(socket);
          } catch (IOException failure) {
            fail(socket, String.valueOf(failure.getMessage()));
          }
        });
  }

  private static void fail(LiveSocket socket, String why) {
    var frame = Json.object();
    frame.put("type", "control");
    frame.put("status", "error");
    frame.put("error", why);
    try {
      socket.send(frame.toString(), ERROR_FRAME_MAX);
    } catch (IOException _) {
      // Then it is not told.
    }
    socket.drop();
  }

  private void checkTerminals() {
    if (faults.terminalsRefused()) {
      throw new Refused(500, "failed to start PTY session: operation not permitted");
    }
  }

  private static Terminal find(Terminals terminals, String id, int otherwise) {
    return terminals
        .find(id)
        .orElseThrow(() -> new Refused(otherwise, "PTY session " + id + " not found"));
  }

  private static Refused refusal(IOException failure) {
    var message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case NoSuchFileException _ ->
          new Refused(404, "FILE_NOT_FOUND", message + ": no such file or directory");
      case AccessDeniedException _ ->
          new Refused(403, "FILE_ACCESS_DENIED", message + ": permission denied");
      case FileAlreadyExistsException _ -> new Refused(409, message + ": file exists");
      case FileSystemException _ -> new Refused(400, message);
      default -> new Refused(400, message);
    };
  }

  private static Answer ok(String field, String value) {
    ObjectNode answer = Json.object();
    answer.put(field, value);
    answer.put("sinceRelease", VERSION);
    return Answer.json(200, answer);
  }
}
