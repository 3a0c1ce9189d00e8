package dev.gorkie.slack;

import java.util.Map;

/// Whose allowance a call is counted on: Slack counts by workspace and method, and posts for each channel.
record Budget(String team, String method, String channel) {

  static Budget of(String team, String method, Map<String, String> form) {
    return new Budget(
        team, method, method.equals("chat.postMessage") ? form.getOrDefault("channel", "") : "");
  }
}
