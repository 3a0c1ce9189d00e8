package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;

/// Brings events, clicks and commands to the app, tries events again when they fail, and remembers every attempt.
final class Deliveries {
  private final Changes changes;
  private final ExecutorService work;
  private final Courier courier;
  private final Sockets sockets;
  private final Delays delays;
  private final Recent<Delivery> attempts = new Recent<>();
  private final List<Held> held = new ArrayList<>();
  private URI events;
  // The conversations of those that are.
  private final List<String> underWay = new ArrayList<>();

  private record Held(List<Envelope> envelopes, DeliveryOptions options) {}

  Deliveries(
      Changes changes,
      ExecutorService work,
      Courier courier,
      Sockets sockets,
      Delays delays,
      URI events) {
    this.changes = changes;
    this.sockets = sockets;
    this.work = work;
    this.courier = courier;
    this.delays = delays;
    this.events = events;
  }

  void deliverTo(URI events) {
    changes.change(() -> this.events = events);
  }

  URI events() {
    return changes.read(() -> events);
  }

  /// Sends what belongs together, one beside the other, or one after the other's end where an order is asked for.
  void send(List<Envelope> envelopes, DeliveryOptions options) {
    if (options.held()) {
      changes.change(() -> held.add(new Held(envelopes, options)));
      return;
    }
    var chosen =
        envelopes.stream()
            .filter(one -> chosen(one, options.copies()))
            .sorted(order(options))
            .toList();
    var together = options.order() == DeliveryOptions.Order.TOGETHER;
    if (together) {
      chosen.forEach(one -> start(List.of(one), options));
    } else {
      start(chosen, options);
    }
  }

  private static boolean chosen(Envelope envelope, DeliveryOptions.Copies copies) {
    return switch (copies) {
      case BOTH -> true;
      case MENTION -> envelope.isMention();
      case MESSAGE -> !envelope.isMention();
    };
  }

  private static Comparator<Envelope> order(DeliveryOptions options) {
    var mentionFirst = Comparator.comparing((Envelope one) -> !one.isMention());
    return options.order() == DeliveryOptions.Order.MESSAGE_FIRST
        ? mentionFirst.reversed()
        : mentionFirst;
  }

  private void start(List<Envelope> inOrder, DeliveryOptions options) {
    for (var copy = 0; copy < options.times(); copy++) {
      var about = inOrder.stream().map(Envelope::channel).toList();
      changes.change(() -> underWay.addAll(about));
      work.execute(
          () -> {
            try {
              for (var envelope : inOrder) {
                deliver(envelope, options);
              }
            } catch (InterruptedException _) {
              // The workspace is closing.
            } finally {
              changes.change(() -> about.forEach(underWay::remove));
            }
          });
    }
  }

  private void deliver(Envelope envelope, DeliveryOptions options) throws InterruptedException {
    var reason = Optional.<String>empty();
    for (var attempt = 0; attempt <= delays.retries().size(); attempt++) {
      Thread.sleep(attempt == 0 ? options.delay() : delays.retries().get(attempt - 1));
      var began = Instant.now();
      var outcome =
          attempt < options.lost()
              ? Courier.Outcome.failed("connection_failed")
              : brought(envelope, attempt, reason);
      record(envelope, attempt, reason, outcome, began);
      if (outcome.failure().isEmpty() || outcome.noRetry()) {
        return;
      }
      reason = outcome.failure();
    }
  }

  private Courier.Outcome brought(Envelope envelope, int attempt, Optional<String> reason)
      throws InterruptedException {
    return sockets.isAnyOpen()
        ? sockets.bring("events_api", envelope.body(), attempt, reason)
        : courier.post(
            events(),
            "application/json",
            envelope.body().toBuffer().getBytes(),
            retryHeaders(attempt, reason));
  }

  private static Map<String, String> retryHeaders(int attempt, Optional<String> reason) {
    return reason
        .map(
            why ->
                Map.of("x-slack-retry-num", Integer.toString(attempt), "x-slack-retry-reason", why))
        .orElse(Map.of());
  }

  private Delivery record(
      Envelope envelope,
      int attempt,
      Optional<String> reason,
      Courier.Outcome outcome,
      Instant began) {
    var delivery =
        new Delivery(
            envelope.type(),
            envelope.id(),
            attempt,
            reason,
            envelope.body(),
            outcome.status(),
            outcome.body(),
            outcome.failure(),
            began,
            Duration.between(began, Instant.now()));
    changes.change(() -> attempts.add(delivery));
    return delivery;
  }

  /// Asks the address for events whether it is the app's, as Slack does when somebody enters it.
  Delivery verify(String challenge) throws InterruptedException {
    var body =
        new JsonObject()
            .put("type", "url_verification")
            .put("token", "local")
            .put("challenge", challenge);
    var began = Instant.now();
    var outcome = courier.post(events(), "application/json", body.toBuffer().getBytes(), Map.of());
    return record(
        new Envelope("url_verification", challenge, body), 0, Optional.empty(), outcome, began);
  }

  /// Brings a click; Slack tries those once.
  Delivery interact(JsonObject payload) throws InterruptedException {
    var envelope =
        new Envelope(payload.getString("type"), payload.getString("trigger_id"), payload);
    return sockets.isAnyOpen()
        ? overSocket("interactive", envelope)
        : form(envelope, "/slack/interactions", Map.of("payload", payload.encode()));
  }

  Delivery command(Map<String, String> fields) throws InterruptedException {
    var body = new JsonObject();
    fields.forEach(body::put);
    var envelope = new Envelope("slash_command", fields.getOrDefault("trigger_id", ""), body);
    return sockets.isAnyOpen()
        ? overSocket("slash_commands", envelope)
        : form(envelope, "/slack/commands", fields);
  }

  private Delivery overSocket(String type, Envelope envelope) throws InterruptedException {
    var began = Instant.now();
    var outcome = sockets.bring(type, envelope.body(), 0, Optional.empty());
    return record(envelope, 0, Optional.empty(), outcome, began);
  }

  private Delivery form(Envelope envelope, String path, Map<String, String> fields)
      throws InterruptedException {
    var body =
        fields.entrySet().stream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"))
            .getBytes(StandardCharsets.UTF_8);
    var began = Instant.now();
    var outcome =
        courier.post(events().resolve(path), "application/x-www-form-urlencoded", body, Map.of());
    return record(envelope, 0, Optional.empty(), outcome, began);
  }

  /// Lets go what was held, in the order of these timestamps; all of it, as it was said, when none is named.
  void release(List<String> timestamps) {
    var released =
        changes.change(
            () -> {
              var chosen =
                  timestamps.isEmpty()
                      ? List.copyOf(held)
                      : timestamps.stream()
                          .flatMap(ts -> held.stream().filter(one -> concerns(one, ts)))
                          .toList();
              held.removeAll(chosen);
              return chosen;
            });
    for (var one : released) {
      var options = one.options();
      send(
          one.envelopes(),
          new DeliveryOptions(
              options.times(),
              options.copies(),
              options.order(),
              options.delay(),
              options.lost(),
              false));
    }
  }

  private static boolean concerns(Held held, String ts) {
    return held.envelopes().stream().anyMatch(one -> one.ts().equals(ts));
  }

  /// Sends an event again that was sent before, with the same id, as Slack does after hours.
  void again(String eventId) {
    var body =
        attempts().stream()
            .filter(one -> one.id().equals(eventId))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("No event " + eventId + " was delivered"));
    send(List.of(new Envelope(body.type(), eventId, body.body())), DeliveryOptions.usual());
  }

  List<Delivery> attempts() {
    return changes.read(attempts::list);
  }

  void remember(int most) {
    changes.change(() -> attempts.keep(most));
  }

  /// Nothing is on its way, waits for another attempt or is held.
  boolean quiet() {
    return changes.read(() -> underWay.isEmpty() && held.isEmpty());
  }

  /// The same, of one conversation.
  boolean quiet(String channel) {
    return changes.read(
        () ->
            !underWay.contains(channel)
                && held.stream()
                    .flatMap(one -> one.envelopes().stream())
                    .noneMatch(envelope -> envelope.channel().equals(channel)));
  }
}
