package dev.gorkie.handoff;

import dev.gorkie.aws.AwsJson;
import java.io.IOException;

/// A rule of EventBridge that invokes the worker once a minute. Switching it twice does no harm.
final class RuleAlarm implements Alarm {

  private final AwsJson events;
  private final String rule;

  RuleAlarm(AwsJson events, String rule) {
    this.events = events;
    this.rule = rule;
  }

  @Override
  public void switchOn() throws IOException {
    events.call("AWSEvents.EnableRule", request());
  }

  @Override
  public void switchOff() throws IOException {
    events.call("AWSEvents.DisableRule", request());
  }

  private String request() {
    return "{\"Name\":\"" + rule + "\"}";
  }
}
