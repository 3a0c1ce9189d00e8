package dev.gorkie.campaign;

import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.aws.Serving;
import dev.gorkie.local.aws.Signal;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The worker's processes, and which thread each works on.
final class Crew {

  private static final String WAKES = "/internal/wakes";
  private static final String DELIVERIES = "/internal/deliveries";

  private final LambdaFunction worker;
  // A payload names one thread for ever.
  private final Map<String, String> threads = new ConcurrentHashMap<>();

  private final Map<String, String> jobs = new ConcurrentHashMap<>();

  // Who looks after words does so between two invocations, or beside one.
  private final Set<Long> adopters = ConcurrentHashMap.newKeySet();

  Crew(LambdaFunction worker) {
    this.worker = worker;
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

  List<Long> processes() {
    return worker.processes();
  }

  /// The thread of the invocation that a process has in hand.
  Optional<String> threadOf(long pid) {
    return worker.serving().stream()
        .filter(serving -> serving.pid() == pid)
        .findFirst()
        .map(this::thread)
        .filter(thread -> !thread.isEmpty());
  }

  /// The processes that have an invocation of this thread in hand.
  List<Long> servers(String thread) {
    return worker.serving().stream()
        .filter(serving -> thread(serving).equals(thread))
        .map(Serving::pid)
        .toList();
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
    var path = event.getString("rawPath", "");
    if (!path.equals(WAKES) && !path.equals(DELIVERIES)) {
      return "";
    }
    var body = Base64.getDecoder().decode(event.getString("body", ""));
    var text = new String(body, StandardCharsets.UTF_8);
    return path.equals(WAKES) ? text : threadOfDelivery(new JsonObject(text));
  }

  private String threadOfDelivery(JsonObject delivery) {
    if (delivery.getString("type", "").equals("gorkie_job_over")) {
      return jobs.getOrDefault(delivery.getJsonObject("end").getString("job", ""), "");
    }
    var event = delivery.getJsonObject("event", new JsonObject());
    var root = event.getString("thread_ts", event.getString("ts", ""));
    return delivery.getString("team_id", "") + ":" + event.getString("channel", "") + ":" + root;
  }
}
