package dev.gorkie.local.web;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The server's end of an open WebSocket; sending waits until the bytes have left.
public final class LiveSocket {

  private static final int FRAMES_AHEAD = 64;

  private final ServerWebSocket socket;
  private final ConnectionBase connection;
  private final Context context;
  private final List<Runnable> whenClosed = new CopyOnWriteArrayList<>();
  private Buffer message = Buffer.buffer();

  /// Reads nothing until somebody wants to hear it.
  LiveSocket(ServerWebSocket socket, ConnectionBase connection, Context context) {
    this.socket = socket;
    this.connection = connection;
    this.context = context;
    // There is room for one handler only.
    socket.closeHandler(_ -> whenClosed.forEach(Runnable::run));
    socket.pause();
  }

  /// Hands over each message, text or binary alike, on the event loop. For each one taken off the hands of whoever
  /// got it `ready` is called, and only then is another one read beyond those few that are under way.
  public void onMessage(Consumer<byte[]> taker) {
    context.runOnContext(_ -> listen(taker));
  }

  // Asked for from another thread, a message that comes at that moment would stay where it is.
  public void ready() {
    context.runOnContext(_ -> socket.fetch(1));
  }

  /// Each action runs, and may run twice.
  public void onClose(Runnable action) {
    whenClosed.add(action);
    if (socket.isClosed()) {
      action.run();
    }
  }

  public void send(byte[] binary, Duration most) throws IOException {
    await(socket.writeBinaryMessage(Buffer.buffer(binary)), most);
  }

  public void send(String text, Duration most) throws IOException {
    await(socket.writeTextMessage(text), most);
  }

  public void close(int code, String reason) {
    var _ = socket.close((short) code, reason);
  }

  /// Ends the connection without a close frame, as a lost one does.
  public void drop() {
    // Past Vert.x, which would say goodbye.
    connection.channel().pipeline().firstContext().close();
  }

  /// Drops the connection once nothing at all has passed over it for that long, as a proxy does.
  public void dropWhenSilentFor(Duration silence) {
    var timer =
        new IdleStateHandler(0, 0, silence.toMillis(), TimeUnit.MILLISECONDS) {
          @Override
          protected void channelIdle(ChannelHandlerContext here, IdleStateEvent event) {
            here.close();
          }
        };
    var channel = connection.channel();
    channel.eventLoop().execute(() -> channel.pipeline().addFirst(timer));
  }

  private void listen(Consumer<byte[]> taker) {
    socket.frameHandler(
        frame -> {
          if (isContent(frame)) {
            message.appendBuffer(frame.binaryData());
          }
          if (isContent(frame) && frame.isFinal()) {
            var whole = message.getBytes();
            message = Buffer.buffer();
            taker.accept(whole);
          } else {
            socket.fetch(1);
          }
        });
    socket.fetch(FRAMES_AHEAD);
  }

  private static boolean isContent(WebSocketFrame frame) {
    return frame.isText() || frame.isBinary() || frame.isContinuation();
  }

  private static void await(Future<Void> future, Duration most) throws IOException {
    try {
      future.toCompletionStage().toCompletableFuture().get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      throw new IOException("the other end does not read", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while sending", interrupted);
    }
  }
}
