package dev.gorkie.local.daytona;

import dev.gorkie.local.web.LiveSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// One connection to a terminal. It gets the output from its beginning on, as long as it reads fast enough.
final class Viewer {

  private sealed interface Item {
    record Output(byte[] bytes) implements Item {}

    record End(int code, String reason) implements Item {}
  }

  private static final int CHUNKS_MAX = 256;
  private static final Duration WRITE_MAX = Duration.ofSeconds(10);
  private static final String CONNECTED =
      """
      {"type":"control","status":"connected"}\
      """;

  private final LiveSocket socket;
  private final Stage stage;
  private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(CHUNKS_MAX);
  private final Thread pump = Thread.ofVirtual().name("terminal-viewer").unstarted(this::pump);

  Viewer(LiveSocket socket, Stage stage) {
    this.socket = socket;
    this.stage = stage;
  }

  void start() {
    stage.faults().terminalsCutAfter().ifPresent(socket::dropWhenSilentFor);
    pump.start();
  }

  /// Whether there was room for it. If not, this viewer is told that it is too slow and gets nothing more.
  boolean take(byte[] output) {
    if (items.offer(new Item.Output(output))) {
      return true;
    }
    stop();
    socket.close(1008, "slow consumer");
    return false;
  }

  /// The terminal is over.
  void end(int code, String reason) {
    var end = new Item.End(code, reason);
    if (stage.faults().outputOvertaken()) {
      items.clear();
    }
    while (!items.offer(end)) {
      items.poll();
    }
  }

  /// Ends the connection as a lost one ends.
  void cut() {
    stop();
    socket.drop();
  }

  void stop() {
    items.clear();
    pump.interrupt();
  }

  private void pump() {
    try {
      var first = items.poll(stage.untilConnected().toNanos(), TimeUnit.NANOSECONDS);
      if (first instanceof Item.Output output && !send(output)) {
        return;
      }
      socket.send(CONNECTED, WRITE_MAX);
      if (first instanceof Item.End end) {
        socket.close(end.code(), end.reason());
        return;
      }
      while (true) {
        switch (items.take()) {
          case Item.Output output -> {
            if (!send(output)) {
              return;
            }
          }
          case Item.End(var code, var reason) -> {
            socket.close(code, reason);
            return;
          }
        }
      }
    } catch (InterruptedException _) {
      // It was stopped; whoever did it has seen to the connection.
    } catch (IOException _) {
      // Nothing more is delivered; the connection stays as it is.
    }
  }

  private boolean send(Item.Output output) throws IOException {
    var bytes = output.bytes();
    var share = stage.faults().share(bytes.length);
    if (share > 0) {
      socket.send(share == bytes.length ? bytes : Arrays.copyOf(bytes, share), WRITE_MAX);
      stage.counters().terminalBytes.addAndGet(share);
    }
    if (share < bytes.length) {
      socket.drop();
      return false;
    }
    return true;
  }
}
