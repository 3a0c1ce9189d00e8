package dev.gorkie.campaign;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// A relay that sees requests, answers and, on a WebSocket, frames.
final class HttpRelay extends Relay {

  private static final String THROTTLED = "429 Too Many Requests";
  private static final String BROKEN = "503 Service Unavailable";

  private final String wire;
  private final Function<HttpMessage, String> what;

  /// @param what names a request
  HttpRelay(
      String wire,
      int beyond,
      Gate gate,
      Supplier<List<Long>> processes,
      Function<HttpMessage, String> what)
      throws IOException {
    super(beyond, gate, processes);
    this.wire = wire;
    this.what = what;
  }

  @Override
  void serve(long pid, Socket near, Socket far) throws IOException, InterruptedException {
    var fromNear = new BufferedInputStream(near.getInputStream());
    var fromFar = new BufferedInputStream(far.getInputStream());
    while (true) {
      var request = HttpMessage.request(fromNear);
      if (request.isEmpty()) {
        return;
      }
      var name = what.apply(request.get());
      switch (gate().pass(pid, Passage.before(wire, name))) {
        case GO -> {}
        case CUT -> {
          return;
        }
        case THROTTLED -> {
          refuse(THROTTLED, near);
          return;
        }
        case BROKEN -> {
          refuse(BROKEN, near);
          return;
        }
      }
      // Frames are to be read, so they travel as they are.
      request.get().without("sec-websocket-extensions").writeTo(far.getOutputStream());
      var answer = HttpMessage.answer(fromFar, request.get().method());
      if (gate().pass(pid, Passage.after(wire, name)) != Gate.Verdict.GO) {
        return;
      }
      answer.replacing(address(beyond()), address(port())).writeTo(near.getOutputStream());
      if (answer.isUpgrade()) {
        frames(pid, near, far, fromNear, fromFar);
        return;
      }
      if (answer.isLast()) {
        return;
      }
    }
  }

  private static void refuse(String status, Socket near) throws IOException {
    var answer =
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            .formatted(status);
    near.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
    near.shutdownOutput();
  }

  private static String address(int port) {
    return "http://127.0.0.1:" + port + "/";
  }

  private void frames(long pid, Socket near, Socket far, InputStream fromNear, InputStream fromFar)
      throws InterruptedException {
    var back =
        Thread.ofVirtual()
            .name("frames-" + port())
            .start(() -> pump(pid, "frame out ", near, far, fromFar, near));
    pump(pid, "frame in ", near, far, fromNear, far);
    back.join();
  }

  private void pump(
      long pid, String direction, Socket near, Socket far, InputStream from, Socket to) {
    try {
      var out = to.getOutputStream();
      while (passed(pid, direction, from, out)) {
        out.flush();
      }
    } catch (IOException _) {
      // The other one's end is told by the sockets.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      cut(near);
      cut(far);
    }
  }

  private boolean passed(long pid, String direction, InputStream from, OutputStream to)
      throws IOException, InterruptedException {
    var frame = Frame.read(from);
    if (frame.isEmpty()) {
      return false;
    }
    if (frame.get().isData()) {
      var passage = Passage.before(wire, direction + frame.get().name());
      if (gate().pass(pid, passage) != Gate.Verdict.GO) {
        return false;
      }
    }
    to.write(frame.get().bytes());
    return true;
  }
}
