package dev.gorkie.local.slack;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Socket Mode: the app opens connections, and as long as there is one, everything is brought over it. What is not acknowledged by its
/// envelope's id in time is brought again.
final class Sockets {
  static final String APP_TOKEN = "xapp-local-app-token";
  private static final int CONNECTIONS_MAX = 10;
  private static final IOException GONE = new IOException("The connection is gone");
  private final Changes changes;
  private final URI link;
  private final Duration cutOff;
  // Each is good for one connection.
  private final Set<String> tickets = new HashSet<>();
  private final List<ServerWebSocket> open = new ArrayList<>();
  private final Map<String, Waiting> awaited = new HashMap<>();
  private final List<Integer> counts = new ArrayList<>();

  private record Waiting(ServerWebSocket socket, CompletableFuture<Boolean> acknowledged) {}

  Sockets(Changes changes, URI base, Duration cutOff) {
    this.changes = changes;
    this.link = URI.create(base.toString().replaceFirst("^http", "ws")).resolve("link/");
    this.cutOff = cutOff;
  }

  Map<String, Method> methods() {
    return Map.of("apps.connections.open", this::ticket);
  }

  private JsonObject ticket(Call call) {
    var ticket = UUID.randomUUID().toString();
    changes.change(
        () -> {
          if (open.size() >= CONNECTIONS_MAX) {
            throw new Refusal("too_many_websockets");
          }
          tickets.add(ticket);
        });
    return new JsonObject().put("url", link + "?ticket=" + ticket + "&app_id=" + Workspace.APP);
  }

  /// Somebody comes with a ticket.
  void connect(HttpServerRequest request) {
    var ticket = Optional.ofNullable(request.getParam("ticket")).orElse("");
    if (!changes.change(() -> tickets.remove(ticket))) {
      request.response().setStatusCode(401).end();
      return;
    }
    request.toWebSocket().onSuccess(this::greet);
  }

  private void greet(ServerWebSocket socket) {
    socket.closeHandler(
        _ ->
            changes.change(
                () -> {
                  open.remove(socket);
                  counts.add(open.size());
                  awaited.values().stream()
                      .filter(one -> one.socket().equals(socket))
                      .forEach(one -> one.acknowledged().completeExceptionally(GONE));
                }));
    socket.textMessageHandler(this::acknowledged);
    var number =
        changes.change(
            () -> {
              open.add(socket);
              counts.add(open.size());
              return open.size();
            });
    socket.writeTextMessage(
        new JsonObject()
            .put("type", "hello")
            .put("num_connections", number)
            .put("connection_info", new JsonObject().put("app_id", Workspace.APP))
            .put("debug_info", new JsonObject().put("host", "local"))
            .encode());
  }

  private void acknowledged(String text) {
    try {
      var id = new JsonObject(text).getString("envelope_id", "");
      Optional.ofNullable(changes.change(() -> awaited.remove(id)))
          .ifPresent(waiting -> waiting.acknowledged().complete(true));
    } catch (DecodeException | ClassCastException _) {
      // Slack takes no notice of it.
    }
  }

  boolean isAnyOpen() {
    return changes.read(() -> !open.isEmpty());
  }

  /// How many connections there were after each that came or went.
  List<Integer> counts() {
    return changes.read(() -> List.copyOf(counts));
  }

  /// Slack wants the oldest connection to end, and leaves it open until the app closes it.
  void refresh() {
    changes
        .read(() -> open.stream().findFirst())
        .ifPresent(
            socket ->
                socket.writeTextMessage(
                    new JsonObject()
                        .put("type", "disconnect")
                        .put("reason", "refresh_requested")
                        .put("debug_info", new JsonObject().put("host", "local"))
                        .encode()));
  }

  /// All connections break.
  void cut() {
    changes.read(() -> List.copyOf(open)).forEach(socket -> socket.close((short) 1011));
  }

  /// @param type `events_api`, `interactive` or `slash_commands`
  Courier.Outcome bring(String type, JsonObject payload, int attempt, Optional<String> reason)
      throws InterruptedException {
    var id = UUID.randomUUID().toString();
    var envelope =
        new JsonObject()
            .put("envelope_id", id)
            .put("type", type)
            .put("payload", payload)
            .put("accepts_response_payload", !type.equals("events_api"))
            .put("retry_attempt", attempt)
            .put("retry_reason", reason.orElse(""));
    var acknowledged = new CompletableFuture<Boolean>();
    var over =
        changes.read(
            () -> open.isEmpty() ? Optional.<ServerWebSocket>empty() : Optional.of(open.getLast()));
    if (over.isEmpty()) {
      return Courier.Outcome.failed("connection_failed");
    }
    changes.change(() -> awaited.put(id, new Waiting(over.get(), acknowledged)));
    over.get().writeTextMessage(envelope.encode()).onFailure(acknowledged::completeExceptionally);
    try {
      acknowledged.get(cutOff.toMillis(), TimeUnit.MILLISECONDS);
      return new Courier.Outcome(Optional.of(200), "", false, Optional.empty());
    } catch (TimeoutException _) {
      return Courier.Outcome.failed("timeout");
    } catch (ExecutionException _) {
      return Courier.Outcome.failed("connection_failed");
    } finally {
      changes.change(() -> awaited.remove(id));
    }
  }
}
