package dev.gorkie.way;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/// Listens where nobody is to come, and counts who does.
final class Untouched implements AutoCloseable {

  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger touches = new AtomicInteger();

  Untouched() throws IOException {
    Thread.ofVirtual().name("untouched").start(this::count);
  }

  private void count() {
    try {
      while (true) {
        door.accept().close();
        touches.incrementAndGet();
      }
    } catch (IOException _) {
      // It is closed.
    }
  }

  int touches() {
    return touches.get();
  }

  String url() {
    return "http://127.0.0.1:" + door.getLocalPort() + "/api/";
  }

  String database() {
    return "postgresql://nobody:nothing@127.0.0.1:" + door.getLocalPort() + "/none";
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
