package dev.gorkie.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Deadline;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Loss;
import dev.gorkie.daytona.Answer.Lost;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/// Hears a terminal's socket: binary frames are output, text frames are about the terminal.
final class TerminalListener extends WebSocketListener {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CLOSED_NORMALLY = 1000;
  private static final int ENDED_WITH_AN_ERROR = 1011;

  private final TerminalOutput output = new TerminalOutput();
  private final CompletableFuture<Answer<Boolean>> opening = new CompletableFuture<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean exited;

  TerminalOutput output() {
    return output;
  }

  /// The terminal is ready only when it says so: an upgrade succeeds for one that does not exist, too.
  Answer<Boolean> awaitOpening(Deadline deadline) throws InterruptedException {
    do {
      try {
        return opening.get(Calls.millisToNextLook(deadline), TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        // Perhaps nobody wants it any more.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    } while (!deadline.isOver());
    return new Lost<>(Loss.NOT_ANSWERED, "not connected in time");
  }

  /// Whether what ran in the terminal came to its own end.
  boolean hasExited() {
    return exited;
  }

  boolean awaitFinish(Duration timeout) throws InterruptedException {
    return finished.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void onMessage(WebSocket socket, ByteString bytes) {
    try {
      output.put(bytes.toByteArray());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      socket.cancel();
    }
  }

  @Override
  public void onMessage(WebSocket socket, String text) {
    var about = parse(text);
    switch (about.path("status").asText()) {
      case "connected" -> opening.complete(new Given<>(true));
      case "error" -> end("refused: " + about.path("error").asText());
      case "exited" -> exit(about);
      default -> {}
    }
  }

  @Override
  public void onClosing(WebSocket socket, int code, String reason) {
    switch (code) {
      case CLOSED_NORMALLY, ENDED_WITH_AN_ERROR -> exit(parse(reason));
      default -> end("closed with " + code + " " + reason);
    }
    socket.close(CLOSED_NORMALLY, null);
  }

  @Override
  public void onClosed(WebSocket socket, int code, String reason) {
    finished.countDown();
  }

  @Override
  public void onFailure(WebSocket socket, Throwable failure, @Nullable Response response) {
    if (response != null && !opening.isDone()) {
      opening.complete(new Answer.Refused<>(refusal(response)));
    }
    end("cut: " + failure.getMessage());
    finished.countDown();
  }

  private void exit(JsonNode about) {
    exited = true;
    var reason = about.path("exitReason").asText();
    end("exited with " + about.path("exitCode").asInt() + (reason.isEmpty() ? "" : ", " + reason));
  }

  /// The first reason counts: what comes after it only follows from it.
  private void end(String reason) {
    output.end(reason);
    opening.complete(new Lost<>(Loss.NOT_ANSWERED, reason));
  }

  private static Answer.Refusal refusal(Response response) {
    try {
      var body = response.body() == null ? "" : response.body().string();
      return Refusals.read(response.code(), response.headers().toMultimap(), body);
    } catch (IOException _) {
      return Refusals.read(response.code(), response.headers().toMultimap(), "");
    }
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return JSON.createObjectNode();
    }
  }
}
