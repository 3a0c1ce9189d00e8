package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/// What goes wrong for all histories of a part at once, again and again, by a timetable that is always the same. So a history meets the
/// same weather once more when it begins as late.
final class Weather {

  private final LongFunction<Spell> timetable;
  private final Duration from;
  private final AtomicLong spells = new AtomicLong();
  private volatile Instant begun = Instant.MAX;

  /// @param lasts how long it is bad
  /// @param calm how long it is good afterwards
  /// @param breaks what happens in the beginning
  /// @param clears and in the end
  record Spell(Duration lasts, Duration calm, Runnable breaks, Runnable clears) {}

  /// @param timetable the n-th time that it is bad
  /// @param from how late it begins, for who wants one of its histories again
  Weather(LongFunction<Spell> timetable, Duration from) {
    this.timetable = timetable;
    this.from = from;
  }

  /// Runs these in it, and tells how often it was bad.
  void over(Histories histories, List<Bare> bare, Figures figures)
      throws IOException, InterruptedException {
    var blowing = new FutureTask<>(this::blow, "it is over");
    var planned = new ArrayList<Histories.Planned>();
    for (var one : bare) {
      var plan = new Under(this);
      Tale tale =
          history -> {
            plan.begins();
            Tale.ofOneMessage().tell(history);
          };
      planned.add(new Histories.Planned(one.name(), one.seed(), one.wish(), plan, tale));
    }
    begun = Instant.now();
    var thread = Thread.ofVirtual().name("weather").start(blowing);
    try {
      histories.run(planned);
    } finally {
      thread.interrupt();
      thread.join();
    }
    try {
      blowing.get();
    } catch (ExecutionException failed) {
      throw new IOException("The weather did not last", failed.getCause());
    }
    figures.faults(spells.get());
    if (spells.get() == 0) {
      figures.missed("the weather was never bad");
    }
  }

  /// A history of which nothing is to be said but its turn.
  record Bare(String name, long seed, Wish wish) {}

  private Duration now() {
    return from.plus(Duration.between(begun, Instant.now()));
  }

  private void blow() {
    try {
      var ends = Duration.ZERO;
      for (var number = 0L; true; number++) {
        var spell = timetable.apply(number);
        ends = ends.plus(spell.lasts());
        if (now().compareTo(ends) < 0) {
          try {
            spell.breaks().run();
            spells.incrementAndGet();
            sleepUntil(ends);
          } finally {
            spell.clears().run();
          }
        }
        ends = ends.plus(spell.calm());
        sleepUntil(ends);
      }
    } catch (InterruptedException _) {
      // Nobody is out in it any more.
    }
  }

  private void sleepUntil(Duration moment) throws InterruptedException {
    var left = moment.minus(now());
    if (left.isPositive()) {
      Thread.sleep(left);
    }
  }

  /// Nothing goes wrong but what goes wrong for all.
  private static final class Under implements Plan {

    private final Weather weather;
    private volatile Optional<Duration> moment = Optional.empty();

    Under(Weather weather) {
      this.weather = weather;
    }

    void begins() {
      moment = Optional.of(weather.now());
    }

    @Override
    public Optional<Fault> at(String boundary) {
      return Optional.empty();
    }

    @Override
    public Optional<Duration> begunAt() {
      return moment;
    }
  }
}
