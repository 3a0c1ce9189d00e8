package dev.gorkie.campaign;

import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.aws.Serving;
import dev.gorkie.local.aws.Signal;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The processes of both functions, and which thread each works on.
final class Crew {

  private static final String WAKES = "/internal/wakes";
  private static final String DELIVERIES = "/internal/deliveries";
  private static final String SWEEPS = "/internal/sweeps";
  private static final String EVENTS = "/slack/events";

  private final LambdaFunction worker;
  private final LambdaFunction ingress;
  // A payload names one thread for ever.
  private final Map<String, String> threads = new ConcurrentHashMap<>();

  private final Map<String, String> jobs = new ConcurrentHashMap<>();

  // Who looks after words does so between two invocations, or beside one.
  private final Set<Long> adopters = ConcurrentHashMap.newKeySet();

  Crew(LambdaFunction worker, LambdaFunction ingress) {
    this.worker = worker;
    this.ingress = ingress;
  }

  /// The word that a job is over names no thread.
  void knows(String job, String thread) {
    jobs.put(job, thread);
  }

  void adopted(long pid) {
    adopters.add(pid);
  }

  /// Whether it has ever raised the fence of words that nobody looked after.
  boolean hasAdopted(long pid) {
    return adopters.contains(pid);
  }

  /// The thread of the invocation that a process has in hand.
  Optional<String> threadOf(long pid) {
    return Stream.of(worker, ingress)
        .flatMap(function -> function.serving().stream())
        .filter(serving -> serving.pid() == pid)
        .findFirst()
        .map(this::thread)
        .filter(thread -> !thread.isEmpty());
  }

  /// The worker's processes that have an invocation of this thread in hand.
  List<Long> servers(String thread) {
    return worker.serving().stream()
        .filter(serving -> thread(serving).equals(thread))
        .map(Serving::pid)
        .toList();
  }

  /// Those that look for what was left, in whatever thread.
  List<Long> sweepers() {
    return worker.serving().stream()
        .filter(serving -> path(new JsonObject(serving.payload())).equals(SWEEPS))
        .map(Serving::pid)
        .toList();
  }

  /// Whoever of the worker's processes has something in hand.
  List<Long> workers() {
    return worker.serving().stream().map(Serving::pid).toList();
  }

  void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  void freeze(long pid) throws InterruptedException {
    Signal.STOP.send(pid);
  }

  void thaw(long pid) throws InterruptedException {
    Signal.CONT.send(pid);
  }

  private String thread(Serving serving) {
    return threads.computeIfAbsent(serving.requestId(), _ -> thread(serving.payload()));
  }

  /// Empty for what is about none.
  private String thread(String payload) {
    var event = new JsonObject(payload);
    return switch (path(event)) {
      case WAKES -> Gateway.body(event);
      case DELIVERIES, EVENTS -> threadOfDelivery(new JsonObject(Gateway.body(event)));
      default -> "";
    };
  }

  private static String path(JsonObject event) {
    return event.getString("rawPath", "");
  }

  private String threadOfDelivery(JsonObject delivery) {
    if (delivery.getString("type", "").equals("gorkie_job_over")) {
      return jobs.getOrDefault(delivery.getJsonObject("end").getString("job", ""), "");
    }
    var event = delivery.getJsonObject("event", new JsonObject());
    if (event.containsKey("bot_id")) {
      return ""; // we hear ourselves, and nothing comes of it
    }
    var root = event.getString("thread_ts", event.getString("ts", ""));
    return delivery.getString("team_id", "") + ":" + event.getString("channel", "") + ":" + root;
  }
}
