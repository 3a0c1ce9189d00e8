package dev.gorkie.campaign;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A port on the loopback address that stands before another one, and lets a gate see what passes.
abstract class Relay implements AutoCloseable {

  private static final int BACKLOG = 200;

  private final ServerSocket door;
  private final int beyond;
  private final Gate gate;
  private final Supplier<List<Long>> processes;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean away;

  Relay(int beyond, Gate gate, Supplier<List<Long>> processes) throws IOException {
    this.door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    this.beyond = beyond;
    this.gate = gate;
    this.processes = processes;
  }

  void start() {
    Thread.ofVirtual().name("relay-" + port()).start(this::acceptUntilClosed);
  }

  int port() {
    return door.getLocalPort();
  }

  int beyond() {
    return beyond;
  }

  Gate gate() {
    return gate;
  }

  /// Nobody gets through any more, and whoever was in the middle of something is cut off.
  void goAway() {
    away = true;
    open.forEach(Relay::cut);
  }

  void comeBack() {
    away = false;
  }

  /// One connection of a process, until it ends. Both sockets are closed afterwards.
  abstract void serve(long pid, Socket near, Socket far) throws IOException, InterruptedException;

  @Override
  public void close() throws IOException {
    door.close();
    open.forEach(Relay::cut);
  }

  private void acceptUntilClosed() {
    while (!door.isClosed()) {
      try {
        var near = door.accept();
        Thread.ofVirtual().name("relayed-" + port()).start(() -> serve(near));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void serve(Socket near) {
    open.add(near);
    if (away) {
      open.remove(near);
      cut(near);
      return;
    }
    try (near;
        var far = new Socket(InetAddress.getLoopbackAddress(), beyond)) {
      open.add(far);
      if (away) {
        return; // it came just before
      }
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      serve(Peers.of(near.getPort(), port(), processes.get()), near, far);
      open.remove(far);
    } catch (IOException _) {
      // Whoever is left notices: that is what a cut connection is.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(near);
    }
  }

  static void cut(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is cut either way.
    }
  }
}
