package dev.gorkie.slack;

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
  static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final BudgetRows rows;
  private final Rates rates;

  Budgets(BudgetRows rows, SlackSettings settings) {
    this.rows = rows;
    this.rates = Rates.of(settings);
  }

  /// Whether a call may be made.
  sealed interface Permit {
    /// @param isProbe whether it is the one try at a gate that was closed
    record Go(boolean isProbe) implements Permit {}

    record Wait(Duration pause) implements Permit {}
  }

  Permit ask(Budget budget, Urgency urgency) {
    return switch (rows.ask(budget, rates.wish(budget, urgency))) {
      case Permit.Wait(var pause) when pause.isZero() -> new Permit.Wait(LOOK_AGAIN);
      case Permit permit -> permit;
    };
  }

  /// What came of a call that was permitted.
  void heard(Budget budget, Permit.Go permit, Result<?> result) {
    switch (result) {
      case Later<?>(var pause) -> rows.close(budget, pause, rates.usedUp(budget));
      case Ok<?> _, Refused<?> _ -> {
        if (permit.isProbe()) {
          rows.open(budget);
        }
      }
      case Lost<?> _ -> giveBack(budget, permit);
    }
  }

  /// The call was not made, or nobody knows what came of it.
  void giveBack(Budget budget, Permit.Go permit) {
    if (permit.isProbe()) {
      rows.giveBack(budget);
    }
  }
}
