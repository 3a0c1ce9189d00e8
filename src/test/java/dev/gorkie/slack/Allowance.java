package dev.gorkie.slack;

import dev.gorkie.slack.BudgetRows.Wish;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What the table of allowances decides about one of them, by a clock of the caller's. A simulation asks it a million times; that the
/// table decides the same is tried in `BudgetTest`.
final class Allowance {

  private Optional<Instant> paidUntil = Optional.empty();
  private Optional<Instant> openAt = Optional.empty();
  private Optional<Instant> probedUntil = Optional.empty();

  /// Empty when it is not allowed now; else whether it is the one try at a gate that was closed.
  Optional<Boolean> spend(Instant now, Wish wish) {
    if (paidUntil.isPresent() && !(isPaidFor(now, wish) && isOpen(now, wish))) {
      return Optional.empty();
    }
    paidUntil = Optional.of(later(paidUntil.orElse(now), now).plus(wish.every()));
    probedUntil = openAt.map(_ -> now.plus(wish.probe()));
    return Optional.of(openAt.isPresent());
  }

  private boolean isPaidFor(Instant now, Wish wish) {
    return !paidUntil.orElseThrow().isAfter(now.plus(wish.ahead()));
  }

  private boolean isOpen(Instant now, Wish wish) {
    return openAt.isEmpty()
        || !openAt.get().plus(wish.after()).isAfter(now)
            && probedUntil.filter(until -> !until.isBefore(now)).isEmpty();
  }

  /// How long to wait before asking again; nothing when somebody is just trying.
  Duration wait(Instant now, Wish wish) {
    if (paidUntil.isEmpty()) {
      return Duration.ZERO;
    }
    var paid = paidUntil.get().minus(wish.ahead());
    var at = openAt.map(open -> later(open.plus(wish.after()), paid)).orElse(paid);
    var wait = Duration.between(now, at);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  void close(Instant now, Duration pause, Duration usedUp) {
    var open = now.plus(pause);
    var paid = open.plus(usedUp);
    openAt = Optional.of(openAt.map(before -> later(before, open)).orElse(open));
    paidUntil = Optional.of(paidUntil.map(before -> later(before, paid)).orElse(paid));
    probedUntil = Optional.empty();
  }

  void open(Instant now) {
    if (openAt.filter(at -> !at.isAfter(now)).isPresent()) {
      openAt = Optional.empty();
      probedUntil = Optional.empty();
    }
  }

  void giveBack() {
    probedUntil = Optional.empty();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
