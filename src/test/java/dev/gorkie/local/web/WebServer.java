package dev.gorkie.local.web;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.InputStream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/// A server on this machine only, whose calls are answered by blocking code, each on a virtual thread of its own.
public final class WebServer implements AutoCloseable {

  /// What answers the calls.
  @FunctionalInterface
  public interface Answering {
    Answer answer(Call call) throws Exception;
  }

  private static final Logger LOG = Logger.getLogger(WebServer.class);

  // Whoever reaches these servers may run code here, so there is no setting for the address.
  private static final String HOST = "127.0.0.1";
  private static final int REQUEST_LINE_BYTES_MAX = 64 * 1024;
  // Larger than any limit a stand-in has to enforce itself, with the close code of the service it
  // stands for.
  private static final int MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setEventLoopPoolSize(2)
              .setWorkerPoolSize(2)
              .setFileSystemOptions(
                  new FileSystemOptions()
                      .setFileCachingEnabled(false)
                      .setClassPathResolvingEnabled(false)));
  private final Answering answering;
  private final HttpServer server;

  private WebServer(int port, Answering answering) {
    this.answering = answering;
    this.server =
        vertx.createHttpServer(
            new HttpServerOptions()
                .setHost(HOST)
                .setPort(port)
                .setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(true)
                .setMaxInitialLineLength(REQUEST_LINE_BYTES_MAX)
                .setMaxWebSocketFrameSize(MESSAGE_BYTES_MAX)
                .setMaxWebSocketMessageSize(MESSAGE_BYTES_MAX));
    server.requestHandler(this::accept);
  }

  /// Port 0 takes any free one.
  public static WebServer start(int port, Answering answering) {
    var web = new WebServer(port, answering);
    try {
      await(web.server.listen());
    } catch (RuntimeException failure) {
      web.close();
      throw failure;
    }
    return web;
  }

  public int port() {
    return server.actualPort();
  }

  @Override
  public void close() {
    await(vertx.close());
    calls.shutdownNow();
  }

  private void accept(HttpServerRequest request) {
    var context = vertx.getOrCreateContext();
    request.pause();
    // A request that is to become a WebSocket must not have been read.
    var body =
        request.headers().contains("Upgrade", "websocket", true)
            ? InputStream.nullInputStream()
            : new RequestBody(request, context);
    calls.execute(() -> answer(request, context, body));
  }

  private void answer(HttpServerRequest request, Context context, InputStream body) {
    try (body) {
      deliver(request, context, answering.answer(new Call(request, body)));
      // What was not read is let through and thrown away, so that an early answer reaches its
      // reader.
      context.runOnContext(_ -> request.resume());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException _) {
      // The server is being closed.
    } catch (Exception failure) {
      if (!request.response().closed()) {
        LOG.warnf(failure, "%s %s", request.method(), request.path());
        request.connection().close();
      }
    }
  }

  private static void deliver(HttpServerRequest request, Context context, Answer answer)
      throws Exception {
    var response = request.response();
    switch (answer) {
      case Answer.Whole(var status, var headers, var content) -> {
        response.setStatusCode(status);
        headers.forEach(response::putHeader);
        await(response.end(Buffer.buffer(content)));
      }
      case Answer.Streamed(var status, var contentType, var file) -> {
        response.setStatusCode(status).putHeader("Content-Type", contentType);
        await(response.sendFile(file.toString()));
      }
      case Answer.Upgraded(var use) -> {
        var opened = Promise.<LiveSocket>promise();
        context.runOnContext(_ -> upgrade(request, context).onComplete(opened));
        use.accept(await(opened.future()));
      }
      case Answer.Dropped() -> request.connection().close();
    }
  }

  // On the event loop, where nothing the client sends with its handshake can come before somebody
  // holds it.
  private static Future<LiveSocket> upgrade(HttpServerRequest request, Context context) {
    var connection = (ConnectionBase) request.connection();
    return request.toWebSocket().map(socket -> new LiveSocket(socket, connection, context));
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException failure) {
      throw new IllegalStateException(failure.getCause());
    }
  }
}
