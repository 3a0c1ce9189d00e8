package dev.gorkie.slack;

import dev.gorkie.slack.BudgetRows.Wish;
import java.time.Duration;

/// What a call costs of each allowance, and how far ahead of the clock costs may run.
///
/// @param step how long after a closed gate opens each urgency may try it later than the one before
/// @param probe how long whoever tries has for it
record Rates(
    Duration postEvery,
    Duration editEvery,
    Duration streamEvery,
    Duration appendEvery,
    Duration step,
    Duration probe) {

  // What never says no by itself.
  private static final Duration WITHOUT_END = Duration.ofDays(1);
  private static final int POSTS_AT_ONCE = 5;
  private static final int EDITS_AT_ONCE = 10;

  static Rates of(SlackSettings settings) {
    return new Rates(
        settings.postEvery(),
        settings.editEvery(),
        settings.streamEvery(),
        settings.appendEvery(),
        settings.gateStep(),
        // A call that was made is answered by then.
        settings.callTimeout().multipliedBy(2));
  }

  Wish wish(Budget budget, Urgency urgency) {
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

  /// For how long behind a pause that Slack wants the allowance counts as used up.
  Duration usedUp(Budget budget) {
    return every(budget).multipliedBy(atOnce(budget) - 1L);
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
