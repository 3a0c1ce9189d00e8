package dev.gorkie.slack;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/// How the turns of one workspace speak to Slack, by a clock of the caller's: each asks our allowance first, and Slack has limits of
/// its own behind it.
public final class Conduct {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  // What Slack says to who calls too often, as a rule.
  private static final Duration TOO_OFTEN = Duration.ofSeconds(30);

  // As it is without any setting.
  private static final SlackSettings SETTINGS = SlackAtHand.settings(Map.of());
  private static final Rates RATES = Rates.of(SETTINGS);
  private static final LiveCard.Pace PACE =
      new LiveCard.Pace(
          SETTINGS.cardInterval(), SETTINGS.cardShare(), SETTINGS.cardDelay(), SETTINGS.cardTick());

  /// What is said, and how many Slack takes of it in a minute; of posts in each channel one a second, some at once.
  public enum Saying {
    SIGN("agents.sessions.setStatus", Urgency.SIGN, 50),
    CARD("chat.postMessage", Urgency.PROGRESS, 60),
    EDIT("chat.update", Urgency.PROGRESS, 50),
    LAST_EDIT("chat.update", Urgency.SIGN, 50),
    BEGINNING("chat.startStream", Urgency.PROGRESS, 20),
    MORE("chat.appendStream", Urgency.PROGRESS, 100),
    ENDING("chat.stopStream", Urgency.ANSWER, 20),
    ANSWER("chat.postMessage", Urgency.ANSWER, 60);

    private final String method;
    private final Urgency urgency;
    private final int inAMinute;

    Saying(String method, Urgency urgency, int inAMinute) {
      this.method = method;
      this.urgency = urgency;
      this.inAMinute = inAMinute;
    }

    private boolean isPost() {
      return method.equals("chat.postMessage");
    }
  }

  private final String team;
  private final Map<Budget, Allowance> ours = new HashMap<>();
  private final Map<Budget, Queue<Instant>> taken = new HashMap<>();
  private Instant awayUntil = Instant.MIN;
  private long refused;

  public Conduct(String team) {
    this.team = team;
  }

  /// How often a card may be edited while so many turns are at work in the workspace.
  public static Duration betweenEdits(int turns) {
    return PACE.between(turns);
  }

  /// When a card appears at the latest.
  public static Duration untilCard() {
    return PACE.delay();
  }

  /// Until then Slack refuses everything, and says for how long.
  public void isAway(Instant until) {
    awayUntil = until;
  }

  /// How often Slack has refused what our own allowance permitted.
  public long refused() {
    return refused;
  }

  /// Empty when it was said; else how long to wait before it is tried again.
  public Optional<Duration> say(Instant now, Saying what, String channel) {
    var budget = new Budget(team, what.method, what.isPost() ? channel : "");
    var allowance = ours.computeIfAbsent(budget, _ -> new Allowance());
    var wish = RATES.wish(budget, what.urgency);
    var permit = allowance.spend(now, wish);
    if (permit.isEmpty()) {
      var wait = allowance.wait(now, wish);
      return Optional.of(wait.isZero() ? Budgets.LOOK_AGAIN : wait);
    }
    var pause = refusal(now, what, budget);
    if (pause.isPresent()) {
      refused++;
      allowance.close(now, pause.get(), RATES.usedUp(budget));
      return pause;
    }
    if (permit.get()) {
      allowance.open(now);
    }
    return Optional.empty();
  }

  private Optional<Duration> refusal(Instant now, Saying what, Budget budget) {
    if (awayUntil.isAfter(now)) {
      return Optional.of(Duration.between(now, awayUntil));
    }
    var calls = taken.computeIfAbsent(budget, _ -> new ArrayDeque<>());
    while (!calls.isEmpty() && !calls.peek().isAfter(now.minus(MINUTE))) {
      calls.remove();
    }
    // Slack tolerates a short burst beyond what it promises to take; a fifth is what nobody has
    // seen refused.
    if (calls.size() >= what.inAMinute + what.inAMinute / 5) {
      return Optional.of(TOO_OFTEN);
    }
    calls.add(now);
    return Optional.empty();
  }
}
