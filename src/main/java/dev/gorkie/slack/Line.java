package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import dev.gorkie.slack.Budgets.Permit;
import dev.gorkie.slack.Result.Later;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// The way to Slack of whoever has a thread: no call begins that might outlast the hold on it, or that Slack does not
/// want to hear yet.
final class Line {

  // What nobody can take as not said.
  private static final Set<String> SAYING =
      Set.of("chat.postMessage", "chat.startStream", "files.completeUploadExternal");
  private static final int LOOKS_PER_CALL = 100;

  private final SlackApi api;
  private final Budgets budgets;
  private final String team;
  private final Hold hold;
  private final Duration callMax;

  /// @param callMax after which a call is given up
  Line(SlackApi api, Budgets budgets, String team, Hold hold, Duration callMax) {
    this.api = api;
    this.budgets = budgets;
    this.team = team;
    this.hold = hold;
    this.callMax = callMax;
  }

  /// @throws HoldLost before anything was called
  <T extends Wire.Answer> Result<T> call(
      String method, Map<String, String> form, Class<T> type, Urgency urgency)
      throws InterruptedException {
    return call(method, form, type, urgency, () -> {});
  }

  /// The same for what is written down before it.
  <T extends Wire.Answer> Result<T> call(
      String method, Map<String, String> form, Class<T> type, Urgency urgency, Intent intent)
      throws InterruptedException {
    return call(method, form, type, urgency, intent::write);
  }

  private <T extends Wire.Answer> Result<T> call(
      String method, Map<String, String> form, Class<T> type, Urgency urgency, Runnable beforehand)
      throws InterruptedException {
    var quiet = quiet();
    if (SAYING.contains(method) && quiet.isPositive()) {
      return new Later<>(quiet);
    }
    var budget = Budget.of(team, method, form);
    switch (budgets.ask(budget, urgency)) {
      case Permit.Wait(var pause) -> {
        return new Later<>(pause);
      }
      case Permit.Go permit -> {
        try {
          beforehand.run();
          awaitRenewal();
        } catch (HoldLost lost) {
          budgets.giveBack(budget, permit);
          throw lost;
        }
        var result = api.call(team, method, form, type);
        budgets.heard(budget, permit, result);
        return result;
      }
    }
  }

  /// A call that was on its way when its holder lost the thread has arrived or is given up after this.
  private Duration quiet() {
    return hold.lapsed()
        .map(lapsed -> Duration.between(Instant.now(), lapsed.plus(callMax)))
        .orElse(Duration.ZERO);
  }

  /// With less left than a call may take and a fifth, whoever holds the thread renews it or loses it first.
  private void awaitRenewal() throws InterruptedException {
    while (!hold.lasts(callMax.plus(callMax.dividedBy(5)))) {
      mustHold();
      Thread.sleep(callMax.dividedBy(LOOKS_PER_CALL));
    }
  }

  void mustHold() {
    if (!hold.lasts(Duration.ZERO)) {
      throw new HoldLost("fence " + hold.fence());
    }
  }

  /// Takes away what should not be there, whoever has the thread: this does no harm too late or twice.
  Result<Wire.Answer> takeAway(String method, Map<String, String> form) {
    return api.call(team, method, form, Wire.Answer.class);
  }

  /// Whether a bot is ours, or may be.
  boolean isUs(String bot) {
    return api.bot(team).filter(us -> !us.equals(bot)).isEmpty();
  }

  int turns() {
    return hold.turns();
  }

  SlackApi api() {
    return api;
  }
}
