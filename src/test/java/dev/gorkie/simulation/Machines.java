package dev.gorkie.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;

/// The threads' sandboxes: one that runs is there at once, one that sleeps has to be started, one that was never there to be made;
/// and only so many run at once.
final class Machines {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  // After that long without a turn its thread's machine is stopped.
  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration STARTS = Duration.ofSeconds(3);
  private static final Duration IS_MADE = Duration.ofSeconds(5);

  private final Course course;
  private final Limits limits;
  private final RandomGenerator random;
  private final Places creates;
  private final Places starts;
  private final Map<Integer, Machine> machines = new HashMap<>();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;
  private int mostRunning;
  private double seconds;
  private double waited;

  private static final class Machine {
    boolean runs;
    boolean isUsed;
    long uses;
    Instant since = Instant.MIN;
  }

  Machines(Course course, Limits limits, RandomGenerator random) {
    this.course = course;
    this.limits = limits;
    this.random = random;
    this.creates = new Places(course, Integer.MAX_VALUE, limits.creates(), MINUTE);
    this.starts = new Places(course, Integer.MAX_VALUE, limits.starts(), MINUTE);
  }

  boolean isUsed(int thread) {
    var machine = machines.get(thread);
    return machine != null && machine.isUsed;
  }

  void open(int thread, Runnable then) {
    var isNew = !machines.containsKey(thread);
    var machine = machines.computeIfAbsent(thread, _ -> new Machine());
    machine.isUsed = true;
    machine.uses++;
    if (machine.runs) {
      then.run();
    } else {
      var asked = course.now();
      waiting.add(() -> begin(machine, isNew, asked, then));
      look();
    }
  }

  void rest(int thread) {
    var machine = machines.get(thread);
    if (machine == null) {
      return;
    }
    machine.isUsed = false;
    var uses = machine.uses;
    course.in(
        IDLE,
        () -> {
          if (!machine.isUsed && machine.uses == uses && machine.runs) {
            machine.runs = false;
            seconds += Duration.between(machine.since, course.now()).toMillis() / 1e3;
            running--;
            look();
          }
        });
  }

  int mostRunning() {
    return mostRunning;
  }

  /// For how long turns waited until one might be started for them, all together, in seconds.
  double waited() {
    return waited;
  }

  /// For how long machines ran, all together.
  double seconds() {
    return seconds;
  }

  private void look() {
    while (running < limits.machines() && !waiting.isEmpty()) {
      running++;
      mostRunning = Math.max(mostRunning, running);
      waiting.remove().run();
    }
  }

  private void begin(Machine machine, boolean isNew, Instant asked, Runnable then) {
    var way = isNew ? creates : starts;
    way.take(
        () -> {
          waited += Duration.between(asked, course.now()).toMillis() / 1e3;
          course.in(
              jittered(isNew ? IS_MADE : STARTS),
              () -> {
                machine.runs = true;
                machine.since = course.now();
                then.run();
              });
        });
  }

  /// Half of it to one and a half times.
  private Duration jittered(Duration usual) {
    return Duration.ofMillis(Math.round(usual.toMillis() * (0.5 + random.nextDouble())));
  }
}
