package dev.gorkie.campaign;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Where all relays come together: tells whose thread it is that something passes for.
final class Wires implements Gate {

  private final Map<String, Trace> traces = new ConcurrentHashMap<>();
  private volatile Optional<Crew> crew = Optional.empty();

  void watch(Crew newCrew) {
    crew = Optional.of(newCrew);
  }

  void follow(String thread, Trace trace) {
    traces.put(thread, trace);
  }

  void forget(String thread) {
    traces.remove(thread);
  }

  @Override
  public Verdict pass(long pid, Passage passage) throws InterruptedException {
    if (passage.hasChanged() && passage.name().equals(Trace.ADOPTED)) {
      crew.ifPresent(it -> it.adopted(pid));
    }
    var trace =
        crew.flatMap(it -> it.threadOf(pid)).flatMap(it -> Optional.ofNullable(traces.get(it)));
    return trace.isEmpty() ? Verdict.GO : trace.get().passed(pid, passage);
  }
}
