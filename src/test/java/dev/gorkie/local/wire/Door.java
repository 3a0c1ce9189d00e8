package dev.gorkie.local.wire;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.concurrent.CompletionException;

/// An HTTP server on the loopback address. Each request has a virtual thread, so what answers it may block.
public final class Door implements AutoCloseable {

  /// What stands behind a door.
  public interface Answers {
    void answer(Call call) throws Exception;
  }

  private static final String LOOPBACK = "127.0.0.1";
  private static final int HEADER_BYTES_MAX = 64 * 1024;

  private final Vertx vertx;
  private final HttpServer server;
  private final Answers answers;

  private Door(Vertx vertx, Answers answers) {
    this.vertx = vertx;
    this.answers = answers;
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost(LOOPBACK)
                    .setHttp2ClearTextEnabled(false)
                    .setMaxHeaderSize(HEADER_BYTES_MAX))
            .requestHandler(this::take);
  }

  /// Port 0 is any that is free.
  public static Door open(int port, Answers answers) {
    var vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    var door = new Door(vertx, answers);
    try {
      await(door.server.listen(port, LOOPBACK));
    } catch (CompletionException refused) {
      door.close();
      throw new IllegalStateException(
          "Port " + port + " is not to be had: " + refused.getCause(), refused);
    }
    return door;
  }

  public int port() {
    return server.actualPort();
  }

  public URI url() {
    return URI.create("http://" + authority());
  }

  /// Host and port, as some settings want them.
  public String authority() {
    return LOOPBACK + ":" + port();
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private void take(HttpServerRequest request) {
    var gone = Call.whenGone(request);
    request
        .body()
        .onSuccess(
            body ->
                Thread.ofVirtual()
                    .name("local-" + port())
                    .start(() -> answer(new Call(request, body.getBytes(), gone))));
  }

  private void answer(Call call) {
    try {
      answers.answer(call);
      call.finish();
    } catch (Exception | AssertionError broken) {
      call.breakOff(broken);
    }
  }

  static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }
}
