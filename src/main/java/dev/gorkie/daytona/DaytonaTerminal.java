package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.Terminal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.WebSocket;
import okio.ByteString;

/// A terminal over its socket.
final class DaytonaTerminal implements Terminal {

  // Daytona closes a socket on which more than 64 KiB come at once.
  private static final int FRAME_BYTES_MAX = 32 * 1024;
  // OkHttp closes a socket whose own queue passes 16 MiB, and says only how long it is.
  private static final long QUEUED_BYTES_MAX = 256 * 1024;
  private static final Duration QUEUE_LOOK = Duration.ofMillis(2);
  private static final Duration FAREWELL_MOST = Duration.ofSeconds(1);
  private static final int CLOSED_NORMALLY = 1000;

  private final WebSocket socket;
  private final TerminalListener listener;
  private final Runnable end;
  private final AtomicBoolean closed = new AtomicBoolean();

  DaytonaTerminal(WebSocket socket, TerminalListener listener, Runnable end) {
    this.socket = socket;
    this.listener = listener;
    this.end = end;
  }

  @Override
  public byte[] read(Deadline deadline) throws IOException, InterruptedException {
    return listener.output().take(deadline);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    var from = 0;
    while (from < bytes.length) {
      awaitRoom();
      var length = Math.min(FRAME_BYTES_MAX, bytes.length - from);
      if (!socket.send(ByteString.of(bytes, from, length))) {
        throw gone();
      }
      from += length;
    }
  }

  private void awaitRoom() throws IOException {
    while (socket.queueSize() > QUEUED_BYTES_MAX) {
      // A socket that takes nothing for its write time-out is cut, so this comes to an end.
      if (listener.output().ended().isPresent()) {
        throw gone();
      }
      try {
        Thread.sleep(QUEUE_LOOK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        var interrupted = new InterruptedIOException("interrupted while writing to a terminal");
        interrupted.initCause(e);
        throw interrupted;
      }
    }
  }

  private IOException gone() {
    return new IOException(
        "The terminal is gone: " + listener.output().ended().orElse("its socket is closed"));
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // Who closes is often interrupted already, and what runs there is to be ended all the same.
    var interrupted = Thread.interrupted();
    try {
      listener.output().end("closed here");
      if (!listener.hasExited()) {
        end.run();
      }
      socket.close(CLOSED_NORMALLY, null);
      if (!listener.awaitFinish(FAREWELL_MOST)) {
        socket.cancel();
      }
    } catch (InterruptedException _) {
      interrupted = true;
      socket.cancel();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
