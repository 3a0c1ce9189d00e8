package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.pty4j.WinSize;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/// The terminals open in one sandbox. A terminal whose shell has ended is not among them any more.
final class Terminals {

  private static final int SIDE_MAX = 1_000;
  private static final int NEWEST_MAX = 4;

  private final Shell shell;
  private final String sandbox;
  private final Stage stage;
  private final Map<String, Terminal> open = new ConcurrentHashMap<>();
  // Those too whose shell has ended, for whoever looks what happened there.
  private final Deque<Terminal> newest = new ConcurrentLinkedDeque<>();

  Terminals(Shell shell, String sandbox, Stage stage) {
    this.shell = shell;
    this.sandbox = sandbox;
    this.stage = stage;
  }

  Shell shell() {
    return shell;
  }

  /// What a command comes to.
  ObjectNode execute(JsonNode wish) throws IOException, InterruptedException {
    var player = stage.cast().player();
    return player.isPresent()
        ? Json.object()
            .put("exitCode", 0)
            .put("result", player.get().execute(sandbox, wish.path("command").asText()))
        : new Execution(shell).run(wish);
  }

  Terminal create(JsonNode wish) throws IOException {
    var id = wish.path("id").asText();
    if (id.isEmpty()) {
      throw new Refused(400, "session ID is required");
    }
    var directory = shell.resolve(wish.path("cwd").asText());
    if (!Files.isDirectory(directory)) {
      throw new Refused(500, "chdir " + directory + ": no such file or directory");
    }
    var environment = new HashMap<String, String>();
    wish.path("envs")
        .properties()
        .forEach(entry -> environment.put(entry.getKey(), entry.getValue().asText()));
    var lazy = wish.path("lazyStart").asBoolean();
    var terminal =
        new Terminal(
            new Terminal.Wish(id, directory, environment, size(wish, 80, 24), lazy),
            shell,
            stage,
            stage.cast().player().map(player -> screen -> player.open(sandbox, screen)),
            () -> open.remove(id));
    if (open.putIfAbsent(id, terminal) != null) {
      throw new Refused(409, "PTY session with ID '" + id + "' already exists");
    }
    stage.counters().terminalsOpened.incrementAndGet();
    newest.addFirst(terminal);
    if (newest.size() > NEWEST_MAX) {
      newest.pollLast();
    }
    if (!lazy) {
      terminal.start();
    }
    return terminal;
  }

  Optional<Terminal> find(String id) {
    return Optional.ofNullable(open.get(id));
  }

  /// The newest first.
  List<LocalDaytona.TerminalView> views() {
    return newest.stream().map(Terminal::view).toList();
  }

  List<Terminal> all() {
    return List.copyOf(open.values());
  }

  /// Cuts every connection to every terminal.
  void cut() {
    open.values().forEach(Terminal::cut);
  }

  static WinSize size(JsonNode wish, int columns, int rows) {
    var wanted = new WinSize(wish.path("cols").asInt(columns), wish.path("rows").asInt(rows));
    if (wanted.getColumns() < 1
        || wanted.getColumns() > SIDE_MAX
        || wanted.getRows() < 1
        || wanted.getRows() > SIDE_MAX) {
      throw new Refused(400, "cols and rows must be between 1 and " + SIDE_MAX);
    }
    return wanted;
  }
}
