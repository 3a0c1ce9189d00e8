package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.slack.Result.Ok;
import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Slack's Socket Mode: what Slack would bring to a door comes over a connection that we have opened, so that nobody needs an address
/// on the internet. Everything comes in the form in which it comes to a door.
@ApplicationScoped
public class Socket {

  private static final Logger LOG = Logger.getLogger(Socket.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OPEN = "apps.connections.open";

  // Slack greets at once; a connection that is not greeted is none.
  private static final Duration GREETED_WITHIN = Duration.ofSeconds(10);

  // So a connection that died without a word is noticed.
  private static final Duration PING_EVERY = Duration.ofSeconds(10);

  // Opening is Tier 1, some calls a minute.
  private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  // The same as at the door.
  private static final int BODY_BYTES_MAX = 512 * 1024;

  private static final int NORMAL = 1_000;

  private final SlackHttp http;
  private final SlackApi api;
  private final Optional<String> token;
  private final CountDownLatch closed = new CountDownLatch(1);

  /// Whoever takes what is brought.
  @FunctionalInterface
  public interface Door {
    /// Whether it is safe with us; Slack brings it again where it is not.
    boolean takes(byte[] body);
  }

  @Inject
  Socket(SlackHttp http, SlackApi api, SlackSettings settings) {
    this.http = http;
    this.api = api;
    this.token = settings.appToken().map(Secret::get);
  }

  /// Whether the operator wants it so.
  public boolean isWanted() {
    return token.isPresent();
  }

  /// Listens until it is closed. When Slack wants a connection to end, the next one is there before it does.
  public void listen(Door door) throws InterruptedException {
    var client = http.calls().newBuilder().pingInterval(PING_EVERY).build();
    var before = Optional.<Connection>empty();
    while (!isClosed()) {
      var next = connected(client, door);
      before.ifPresent(Connection::close);
      before = next;
      if (next.isPresent()) {
        LOG.info("Listening to Slack over a connection of our own");
        next.get().awaitEnd(closed);
        if (next.get().broken) {
          // One that breaks again and again would take all that Slack allows.
          closed.await(PAUSE_FIRST.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    }
    before.ifPresent(Connection::close);
  }

  public void close() {
    closed.countDown();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /// A connection that Slack has greeted; empty when we are to close before there is one.
  private Optional<Connection> connected(OkHttpClient client, Door door)
      throws InterruptedException {
    for (var pause = PAUSE_FIRST; !isClosed(); pause = longer(pause)) {
      var connection = new Connection(door);
      switch (http.call(token, OPEN, Map.of(), Wire.Opened.class)) {
        case Ok<Wire.Opened>(var opened) when api.isSlacksSocket(opened.url) -> {
          if (connection.isGreeted(client, opened.url)) {
            return Optional.of(connection);
          }
        }
        case Ok<Wire.Opened>(var opened) ->
            LOG.errorf("Slack's connection would have led to %s", opened.url);
        case Result<Wire.Opened> failed ->
            LOG.warnf(
                "Slack gives no connection: %s. SLACK_APP_TOKEN may be wrong, or Socket Mode switched off",
                failed);
      }
      if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    return Optional.empty();
  }

  private static Duration longer(Duration pause) {
    var twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }

  /// One of several connections, each for some hours.
  private static final class Connection extends WebSocketListener {

    private static final Duration LOOKS_EVERY = Duration.ofMillis(200);

    private final Door door;
    private final CountDownLatch greeted = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable WebSocket socket;
    private volatile boolean broken;

    Connection(Door door) {
      this.door = door;
    }

    boolean isGreeted(OkHttpClient client, String address) throws InterruptedException {
      socket = client.newWebSocket(new Request.Builder().url(address).build(), this);
      if (greeted.await(GREETED_WITHIN.toMillis(), TimeUnit.MILLISECONDS) && !broken) {
        return true;
      }
      close();
      return false;
    }

    /// Until it ends, is to end, or we are to close.
    void awaitEnd(CountDownLatch closed) throws InterruptedException {
      while (closed.getCount() > 0 && !over.await(LOOKS_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        // Both may happen at any time.
      }
    }

    void close() {
      var open = socket;
      if (open != null) {
        open.close(NORMAL, null);
      }
    }

    @Override
    public void onMessage(WebSocket from, String text) {
      JsonNode message;
      try {
        message = JSON.readTree(text);
      } catch (JsonProcessingException _) {
        LOG.warn("Slack sent something over its connection that is no JSON");
        return;
      }
      switch (message.path("type").asText()) {
        case "hello" -> greeted.countDown();
        case "disconnect" -> {
          // Until it is closed, what comes over it is still taken.
          LOG.infof("Slack wants a new connection: %s", message.path("reason").asText());
          over.countDown();
        }
        default -> {
          if (message.path("envelope_id").isTextual()) {
            // Taking it in may take a second, and the next one need not wait for that.
            Thread.ofVirtual().name("slack-envelope").start(() -> take(from, message));
          }
        }
      }
    }

    private void take(WebSocket from, JsonNode envelope) {
      var body = body(envelope.path("type").asText(), envelope.path("payload"));
      if (body.length > BODY_BYTES_MAX) {
        LOG.warnf("Refused a body of %d bytes", body.length);
      } else if (door.takes(body)) {
        var taken =
            JsonNodeFactory.instance
                .objectNode()
                .put("envelope_id", envelope.path("envelope_id").asText());
        from.send(taken.toString());
      }
    }

    @Override
    public void onClosing(WebSocket from, int code, String reason) {
      from.close(NORMAL, null);
      end();
    }

    @Override
    public void onClosed(WebSocket from, int code, String reason) {
      end();
    }

    @Override
    public void onFailure(WebSocket from, Throwable why, @Nullable Response response) {
      LOG.infof("The connection with Slack broke: %s", why.getClass().getSimpleName());
      end();
    }

    private void end() {
      broken = true;
      greeted.countDown();
      over.countDown();
    }
  }

  /// As it would have come to the door.
  static byte[] body(String type, JsonNode payload) {
    return switch (type) {
      case "interactive" ->
          ("payload=" + URLEncoder.encode(payload.toString(), UTF_8)).getBytes(UTF_8);
      case "slash_commands" -> form(payload).getBytes(UTF_8);
      default -> payload.toString().getBytes(UTF_8);
    };
  }

  private static String form(JsonNode fields) {
    var form = new ArrayList<String>();
    fields
        .properties()
        .forEach(
            field ->
                form.add(
                    field.getKey() + "=" + URLEncoder.encode(field.getValue().asText(), UTF_8)));
    return String.join("&", form);
  }
}
