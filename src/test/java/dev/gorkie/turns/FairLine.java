package dev.gorkie.turns;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What a workspace's table of turns decides about who may be at work. A simulation asks it a million times; that the table
/// decides the same is tried in `SpendingTest`.
public final class FairLine {

  private final int most;
  private final Map<Long, Place> alive = new HashMap<>();
  private long queued;

  private record Place(long turn, String author, long since, boolean isAdmitted) {}

  /// @param most how many turns may be at work at once
  public FairLine(int most) {
    this.most = most;
  }

  /// How many are in line before this turn; empty when it may work from now on.
  public OptionalInt line(long turn, String author) {
    var place = alive.computeIfAbsent(turn, _ -> new Place(turn, author, queued++, false));
    if (place.isAdmitted()) {
      return OptionalInt.empty();
    }
    var order = order();
    var before = (int) waiting().filter(other -> order.compare(other, place) < 0).count();
    if (working() + before < most) {
      admit(place);
      return OptionalInt.empty();
    }
    return OptionalInt.of(before);
  }

  /// Who may work now of those that wait, if there is a place; they are admitted with this.
  public Optional<Long> next() {
    if (working() >= most) {
      return Optional.empty();
    }
    var next = waiting().min(order());
    next.ifPresent(this::admit);
    return next.map(Place::turn);
  }

  /// It ended, or nobody works on it any more.
  public void leaves(long turn) {
    alive.remove(turn);
  }

  private void admit(Place place) {
    alive.put(place.turn(), new Place(place.turn(), place.author(), place.since(), true));
  }

  private Stream<Place> waiting() {
    return alive.values().stream().filter(Predicate.not(Place::isAdmitted));
  }

  private long working() {
    return alive.values().stream().filter(Place::isAdmitted).count();
  }

  private Comparator<Place> order() {
    var busy = new HashMap<String, Integer>();
    alive.values().stream()
        .filter(Place::isAdmitted)
        .forEach(place -> busy.merge(place.author(), 1, Integer::sum));
    return Comparator.comparingInt((Place place) -> busy.getOrDefault(place.author(), 0))
        .thenComparingLong(Place::since);
  }
}
