package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;
import com.pty4j.WinSize;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.LiveSocket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/// A login shell in a terminal of the kernel's. What it writes while nobody is connected is read and thrown away.
final class Terminal {

  /// What somebody who opens a terminal asks for.
  record Wish(
      String id, Path directory, Map<String, String> environment, WinSize size, boolean lazy) {}

  private record Input(byte[] bytes, LiveSocket from) {}

  // What one read of a terminal gives at most on Linux.
  private static final int OUTPUT_BYTES_MAX = 4_095;
  private static final int INPUT_BYTES_MAX = 64 * 1024;
  private static final int INPUTS_MAX = 1_024;
  // What a dead shell wrote last is still on its way; a child of it may hold the terminal open for
  // ever.
  private static final Duration LAST_OUTPUT = Duration.ofMillis(200);
  private static final int SIGKILL_EXIT = 137;

  private final Wish wish;
  private final Shell shell;
  private final Stage stage;
  private final Optional<Function<Consumer<byte[]>, Player.Keyboard>> player;
  private final Runnable over;
  private final Instant created = Instant.now();
  private final Tail tail = new Tail();
  private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
  private final ThreadGroup waiting = new ThreadGroup("terminal-waiting");
  private final BlockingQueue<Input> inputs = new ArrayBlockingQueue<>(INPUTS_MAX);
  private Optional<PtyProcess> process = Optional.empty();
  private Optional<Thread> played = Optional.empty();
  private WinSize size;
  private boolean ended;
  private volatile boolean hushed;

  /// @param player plays the shell, where there is none
  Terminal(
      Wish wish,
      Shell shell,
      Stage stage,
      Optional<Function<Consumer<byte[]>, Player.Keyboard>> player,
      Runnable over) {
    this.wish = wish;
    this.shell = shell;
    this.stage = stage;
    this.player = player;
    this.over = over;
    this.size = wish.size();
  }

  synchronized ObjectNode facts() {
    var facts = Json.object();
    facts.put("id", wish.id());
    facts.put("cwd", wish.directory().toString());
    var environment = facts.putObject("envs");
    wish.environment().forEach(environment::put);
    facts.put("cols", size.getColumns());
    facts.put("rows", size.getRows());
    facts.put("createdAt", created.toString());
    facts.put("active", isBegun() && !ended);
    facts.put("lazyStart", wish.lazy());
    return facts;
  }

  private boolean isBegun() {
    return process.isPresent() || played.isPresent();
  }

  /// As somebody sees it who may only look.
  synchronized LocalDaytona.TerminalView view() {
    return new LocalDaytona.TerminalView(wish.id(), created, isBegun() && !ended, tail.text());
  }

  synchronized void start() throws IOException {
    if (process.isPresent() || played.isPresent()) {
      return;
    }
    if (player.isPresent()) {
      var keyboard = player.get().apply(this::show);
      played = Optional.of(Thread.ofVirtual().name("terminal-played").start(() -> play(keyboard)));
      return;
    }
    var environment = shell.environment(Map.of("TERM", "xterm-256color"));
    environment.putAll(wish.environment());
    environment.putAll(shell.processes().marker());
    var started =
        begin(
            new PtyProcessBuilder(new String[] {Shell.bash(), "-i", "-l"})
                .setDirectory(wish.directory().toString())
                .setEnvironment(environment)
                .setInitialColumns(size.getColumns())
                .setInitialRows(size.getRows()));
    process = Optional.of(started);
    shell.processes().begun(started);
    // Reading and writing a terminal happens in native code, which a virtual thread must not wait
    // in.
    var reader = daemon("terminal-output", () -> read(started));
    var writer = daemon("terminal-input", () -> write(started));
    Thread.ofVirtual().name("terminal-end").start(() -> awaitEnd(started, reader, writer));
  }

  /// In a group of threads of its own, so that the one can be found that the library has wait for the shell.
  private PtyProcess begin(PtyProcessBuilder builder) throws IOException {
    var starting = new FutureTask<>(builder::start);
    Thread.ofPlatform().group(waiting).name("terminal-start").start(starting);
    try {
      return starting.get();
    } catch (ExecutionException failure) {
      throw new IOException(failure.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /// The connection gets what is written from now on; when the shell ends it is closed with the exit code.
  void attach(LiveSocket socket) throws IOException {
    var viewer = new Viewer(socket, stage);
    synchronized (this) {
      if (ended) {
        socket.drop();
        return;
      }
      viewers.add(viewer);
    }
    // Only now: what a shell says first that was waiting for somebody to come is for him.
    start();
    socket.onClose(
        () -> {
          viewers.remove(viewer);
          viewer.stop();
        });
    socket.onMessage(
        bytes -> {
          if (bytes.length > INPUT_BYTES_MAX) {
            viewers.remove(viewer);
            viewer.stop();
            socket.close(1009, "");
          } else {
            inputs.add(new Input(bytes, socket));
          }
        });
    viewer.start();
  }

  synchronized void resize(WinSize wanted) {
    size = wanted;
    process.ifPresent(running -> running.setWinSize(wanted));
  }

  /// Kills the shell and what descends from it now. What has left that tree lives on.
  void kill() {
    List<ProcessHandle> tree;
    synchronized (this) {
      tree =
          process.stream()
              .flatMap(running -> ProcessHandle.of(running.pid()).stream())
              .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
              .toList();
    }
    tree.forEach(ProcessHandle::destroyForcibly);
    if (played.isPresent()) {
      played.get().interrupt();
    } else if (tree.isEmpty()) {
      over.run();
    }
  }

  /// Cuts every connection.
  void cut() {
    viewers.forEach(Viewer::cut);
    viewers.clear();
  }

  private void show(byte[] chunk) {
    tail.add(chunk);
    viewers.removeIf(viewer -> !viewer.take(chunk));
  }

  /// Until it is killed.
  private void play(Player.Keyboard keyboard) {
    try {
      while (true) {
        var next = inputs.take();
        keyboard.typed(next.bytes());
        next.from().ready();
      }
    } catch (InterruptedException _) {
      keyboard.closed();
      end(SIGKILL_EXIT);
    }
  }

  private void read(PtyProcess running) {
    var buffer = new byte[OUTPUT_BYTES_MAX];
    try {
      var output = running.getInputStream();
      for (var count = output.read(buffer); count >= 0 && !hushed; count = output.read(buffer)) {
        show(Arrays.copyOf(buffer, count));
      }
    } catch (IOException _) {
      // A terminal whose last process is gone reads as broken and not as ended.
    }
  }

  private void write(PtyProcess running) {
    try {
      var input = running.getOutputStream();
      while (true) {
        var next = inputs.take();
        input.write(next.bytes());
        input.flush();
        next.from().ready();
      }
    } catch (IOException | InterruptedException _) {
      // The shell is gone.
    }
  }

  private void awaitEnd(PtyProcess running, Thread reader, Thread writer) {
    try {
      var exit = running.waitFor();
      reader.join(LAST_OUTPUT);
      // Whoever still read when it is closed would read from another terminal of the same number.
      hushed = true;
      reader.join();
      writer.interrupt();
      writer.join(LAST_OUTPUT);
      close(running);
      end(exit);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whom the library has wait for the shell tells the reader last, over a pipe whose number another terminal may have once this one is closed.
  private void close(PtyProcess running) throws InterruptedException {
    var waiters = new Thread[waiting.activeCount()];
    for (var left = waiting.enumerate(waiters); left > 0; left--) {
      waiters[left - 1].join();
    }
    running.destroy();
    try {
      running.getInputStream().close();
    } catch (IOException _) {
      // It is closed.
    }
  }

  private void end(int exit) {
    synchronized (this) {
      ended = true;
    }
    over.run();
    viewers.forEach(viewer -> viewer.end(exit == 0 ? 1000 : 1011, reason(exit)));
    viewers.clear();
  }

  private static String reason(int exit) {
    if (exit == 0) {
      return "";
    }
    var why =
        switch (exit) {
          case 130 -> "Ctrl+C";
          case SIGKILL_EXIT -> "SIGKILL";
          case 143 -> "SIGTERM";
          default -> exit > 128 ? "signal " + (exit - 128) : "non-zero exit";
        };
    return "{\"exitCode\":" + exit + ",\"exitReason\":\"" + why + "\"}";
  }

  private static Thread daemon(String name, Runnable work) {
    return Thread.ofPlatform().name(name).daemon().start(work);
  }
}
