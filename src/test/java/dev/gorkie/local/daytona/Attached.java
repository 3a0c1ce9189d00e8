package dev.gorkie.local.daytona;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/// A connection to a terminal, and all that came over it.
///
/// The JDK's own client now and then does not notice that a connection was dropped right after a frame.
final class Attached extends WebSocketListener {

  /// How a connection ended; 1006 when it ended without a word.
  record End(int code, String reason) {}

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final WebSocket socket;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final List<Integer> frames = new ArrayList<>();
  private final List<String> control = new ArrayList<>();
  private Optional<End> end = Optional.empty();
  private boolean held;

  Attached(OkHttpClient http, URI uri) {
    this.socket =
        http.newWebSocket(
            new Request.Builder()
                .url(uri.toString())
                .header("Authorization", "Bearer local")
                .build(),
            this);
  }

  void type(String text) throws IOException {
    type(text.getBytes(StandardCharsets.UTF_8));
  }

  void type(byte[] bytes) throws IOException {
    if (!socket.send(ByteString.of(bytes))) {
      throw new IOException("the connection is not open any more");
    }
  }

  void disconnect() {
    socket.cancel();
  }

  synchronized void stopReading() {
    held = true;
  }

  synchronized void goOnReading() {
    held = false;
    notifyAll();
  }

  synchronized String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  synchronized int outputBytes() {
    return output.size();
  }

  /// The sizes of those that brought output.
  synchronized List<Integer> frames() {
    return List.copyOf(frames);
  }

  synchronized List<String> control() {
    return List.copyOf(control);
  }

  void awaitOutput(String expected) throws InterruptedException {
    await(() -> output().contains(expected));
  }

  void awaitOutputBytes(int count) throws InterruptedException {
    await(() -> output.size() >= count);
  }

  void awaitControl(String expected) throws InterruptedException {
    await(() -> control().stream().anyMatch(text -> text.contains(expected)));
  }

  End awaitEnd() throws InterruptedException {
    await(() -> end.isPresent());
    return end.orElseThrow();
  }

  private synchronized void await(BooleanSupplier condition) throws InterruptedException {
    var last = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      var left = Duration.ofNanos(last - System.nanoTime()).toMillis();
      if (left <= 0 || end.isPresent()) {
        throw new AssertionError("it did not come to that: " + end + control + output());
      }
      wait(left);
    }
  }

  @Override
  public synchronized void onMessage(WebSocket socket, ByteString bytes) {
    try {
      while (held) {
        wait();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    output.writeBytes(bytes.toByteArray());
    frames.add(bytes.size());
    notifyAll();
  }

  @Override
  public synchronized void onMessage(WebSocket socket, String text) {
    control.add(text);
    notifyAll();
  }

  @Override
  public void onClosing(WebSocket socket, int code, String reason) {
    ended(new End(code, reason));
    socket.close(code, reason);
  }

  @Override
  public void onFailure(WebSocket socket, Throwable failure, @Nullable Response response) {
    ended(new End(1006, String.valueOf(failure)));
  }

  private synchronized void ended(End how) {
    if (end.isEmpty()) {
      end = Optional.of(how);
    }
    notifyAll();
  }
}
