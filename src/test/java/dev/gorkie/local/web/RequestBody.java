package dev.gorkie.local.web;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A request's body as a stream; only a few buffers of it are ever in memory.
final class RequestBody extends InputStream {

  private sealed interface Arrival {
    record Bytes(byte[] bytes) implements Arrival {}

    record End() implements Arrival {}

    record Broken(Throwable cause) implements Arrival {}
  }

  private static final int BUFFERS_AHEAD = 16;

  private final HttpServerRequest request;
  private final Context context;
  // Bounded by what is asked for: never more than BUFFERS_AHEAD.
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private byte[] current = new byte[0];
  private int position;
  private boolean ended;
  private volatile boolean unwanted;

  /// On the request's own event loop; the request is paused.
  RequestBody(HttpServerRequest request, Context context) {
    this.request = request;
    this.context = context;
    request.handler(
        buffer -> {
          if (!unwanted) {
            arrivals.add(new Arrival.Bytes(buffer.getBytes()));
          }
        });
    request.endHandler(_ -> arrivals.add(new Arrival.End()));
    request.exceptionHandler(cause -> arrivals.add(new Arrival.Broken(cause)));
    request.fetch(BUFFERS_AHEAD);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == current.length && !arrive()) {
      return -1;
    }
    var count = Math.min(length, current.length - position);
    System.arraycopy(current, position, target, offset, count);
    position += count;
    return count;
  }

  /// What still comes is thrown away.
  @Override
  public void close() {
    unwanted = true;
    arrivals.clear();
  }

  private boolean arrive() throws IOException {
    while (!ended) {
      switch (take()) {
        case Arrival.Bytes(var bytes) -> {
          context.runOnContext(_ -> request.fetch(1));
          if (bytes.length > 0) {
            current = bytes;
            position = 0;
            return true;
          }
        }
        case Arrival.End() -> ended = true;
        case Arrival.Broken(var cause) -> throw new IOException("the request broke off", cause);
      }
    }
    return false;
  }

  private Arrival take() throws IOException {
    try {
      return arrivals.take();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading a request", interrupted);
    }
  }
}
