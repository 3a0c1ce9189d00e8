package dev.gorkie.handoff;

import dev.gorkie.aws.AwsJson;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// A rule of EventBridge that invokes the worker: once a minute, or at a time of each day. Switching it twice does no harm.
final class RuleAlarm implements Alarm {

  // Rules know whole minutes. What is due within one is done at its end.
  private static final int SECONDS_UP = 59;

  private final AwsJson events;
  private final String rule;

  RuleAlarm(AwsJson events, String rule) {
    this.events = events;
    this.rule = rule;
  }

  @Override
  public void switchOn() throws IOException {
    put("rate(1 minute)");
  }

  @Override
  public void switchOff() throws IOException {
    events.call("AWSEvents.DisableRule", "{\"Name\":\"" + rule + "\"}");
  }

  @Override
  public void switchOnAt(Instant due) throws IOException {
    var at = due.plusSeconds(SECONDS_UP).truncatedTo(ChronoUnit.MINUTES).atOffset(ZoneOffset.UTC);
    put(String.format(Locale.ROOT, "cron(%d %d * * ? *)", at.getMinute(), at.getHour()));
  }

  /// What the rule invokes it keeps.
  private void put(String expression) throws IOException {
    events.call(
        "AWSEvents.PutRule",
        "{\"Name\":\"%s\",\"ScheduleExpression\":\"%s\",\"State\":\"ENABLED\"}"
            .formatted(rule, expression));
  }
}
