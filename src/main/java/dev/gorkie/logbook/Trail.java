package dev.gorkie.logbook;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What all log lines of one piece of work have in common: for which thread, turn and sandbox it is done.
///
/// The virtual threads that are started for the work share it. Where it is over, one that still runs, or a thread of a pool that
/// happened to be started meanwhile, has none any more.
public final class Trail implements AutoCloseable {

  // A map of the log's own would be bound to the request's context, which a virtual thread that is
  // started for a turn does not have.
  private static final InheritableThreadLocal<@Nullable Trail> HERE =
      new InheritableThreadLocal<>();

  private final Map<String, String> marks = new ConcurrentHashMap<>();
  private final @Nullable Trail before;

  /// What lines may be found by.
  public enum Mark {
    REQUEST("request"),
    THREAD("thread"),
    TURN("turn"),
    FENCE("fence"),
    SANDBOX("sandbox");

    private final String word;

    Mark(String word) {
      this.word = word;
    }
  }

  private Trail(@Nullable Trail before) {
    this.before = before;
    if (before != null) {
      marks.putAll(before.marks);
    }
  }

  /// Begins with the marks of the work that this is a part of.
  public static Trail begin() {
    var trail = new Trail(HERE.get());
    HERE.set(trail);
    return trail;
  }

  /// The same for work that outlives what began it.
  public static Runnable carriedOn(Runnable work) {
    var marks = marks();
    return () -> {
      try (var trail = begin()) {
        trail.marks.putAll(marks);
        work.run();
      }
    };
  }

  /// From now on each line says so. Nothing happens where no work has been begun.
  public static void mark(Mark mark, Object value) {
    var here = HERE.get();
    if (here != null) {
      here.marks.put(mark.word, value.toString());
    }
  }

  static Map<String, String> marks() {
    var here = HERE.get();
    return here == null ? Map.of() : Map.copyOf(here.marks);
  }

  @Override
  public void close() {
    marks.clear();
    if (before == null) {
      HERE.remove();
    } else {
      HERE.set(before);
    }
  }
}
