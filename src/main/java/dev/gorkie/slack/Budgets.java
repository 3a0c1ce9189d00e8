package dev.gorkie.slack;

import dev.gorkie.database.Database;
import dev.gorkie.slack.BudgetRows.Wish;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/// How much Slack still lets a workspace do. All workers share it: where one is told to wait, all wait, and one tries
/// when the wait is over.
@ApplicationScoped
class Budgets {

  // While somebody else is trying.
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  // What never says no by itself.
  private static final Duration WITHOUT_END = Duration.ofDays(1);
  private static final int POSTS_AT_ONCE = 5;
  private static final int EDITS_AT_ONCE = 10;

  private final Database database;
  private final BudgetRows rows;
  private final Duration postEvery;
  private final Duration editEvery;
  private final Duration streamEvery;
  private final Duration appendEvery;
  private final Duration step;
  private final Duration probe;

  Budgets(Database database, BudgetRows rows, SlackSettings settings) {
    this.database = database;
    this.rows = rows;
    this.postEvery = settings.postEvery();
    this.editEvery = settings.editEvery();
    this.streamEvery = settings.streamEvery();
    this.appendEvery = settings.appendEvery();
    this.step = settings.gateStep();
    // A call that was made is answered by then.
    this.probe = settings.callTimeout().multipliedBy(2);
  }

  /// Whether a call may be made.
  sealed interface Permit {
    /// @param isProbe whether it is the one try at a gate that was closed
    record Go(boolean isProbe) implements Permit {}

    record Wait(Duration pause) implements Permit {}
  }

  Permit ask(Budget budget, Urgency urgency) {
    var wish = wish(budget, urgency);
    return database.transaction(
        () ->
            rows.spend(budget, wish)
                .<Permit>map(Permit.Go::new)
                .orElseGet(() -> new Permit.Wait(pause(budget, wish))));
  }

  private Duration pause(Budget budget, Wish wish) {
    var wait = rows.wait(budget, wish);
    return wait.isZero() ? LOOK_AGAIN : wait;
  }

  /// What came of a call that was permitted.
  void heard(Budget budget, Permit.Go permit, Result<?> result) {
    switch (result) {
      case Later<?>(var pause) ->
          write(() -> rows.close(budget, pause, every(budget).multipliedBy(atOnce(budget) - 1L)));
      case Ok<?> _, Refused<?> _ -> {
        if (permit.isProbe()) {
          write(() -> rows.open(budget));
        }
      }
      case Lost<?> _ -> giveBack(budget, permit);
    }
  }

  /// The call was not made, or nobody knows what came of it.
  void giveBack(Budget budget, Permit.Go permit) {
    if (permit.isProbe()) {
      write(() -> rows.giveBack(budget));
    }
  }

  private void write(Runnable write) {
    database.transaction(
        () -> {
          write.run();
          return true;
        });
  }

  private Wish wish(Budget budget, Urgency urgency) {
    var every = every(budget);
    if (every.isZero()) {
      return new Wish(every, WITHOUT_END, after(urgency), probe);
    }
    var ahead =
        switch (urgency) {
          case ANSWER, SIGN -> atOnce(budget) - 1L;
          // The other half is for what may not be left out.
          case PROGRESS -> atOnce(budget) / 2L;
        };
    return new Wish(every, every.multipliedBy(ahead), after(urgency), probe);
  }

  private Duration after(Urgency urgency) {
    return step.multipliedBy(urgency.ordinal());
  }

  private Duration every(Budget budget) {
    return switch (budget.method()) {
      case "chat.postMessage" -> postEvery;
      case "chat.update" -> editEvery;
      case "chat.startStream", "chat.stopStream" -> streamEvery;
      case "chat.appendStream" -> appendEvery;
      default -> Duration.ZERO;
    };
  }

  private static int atOnce(Budget budget) {
    return budget.method().equals("chat.postMessage") ? POSTS_AT_ONCE : EDITS_AT_ONCE;
  }
}
