package dev.gorkie.local.slack;

import java.time.Duration;
import java.util.Map;

/// How often Slack lets an app call each method in a workspace.
final class Tiers {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Map<Integer, Integer> CALLS = Map.of(1, 1, 2, 20, 3, 50, 4, 100);

  private static final Map<String, Integer> TIERS =
      Map.ofEntries(
          Map.entry("chat.update", 3),
          Map.entry("chat.delete", 3),
          Map.entry("chat.startStream", 2),
          Map.entry("chat.stopStream", 2),
          Map.entry("chat.appendStream", 4),
          Map.entry("chat.postEphemeral", 4),
          Map.entry("agents.sessions.setStatus", 3),
          Map.entry("agents.sessions.rename", 3),
          Map.entry("assistant.threads.setTitle", 3),
          Map.entry("assistant.threads.setSuggestedPrompts", 3),
          Map.entry("conversations.history", 3),
          Map.entry("conversations.replies", 3),
          Map.entry("conversations.info", 3),
          Map.entry("conversations.leave", 3),
          Map.entry("conversations.members", 4),
          Map.entry("conversations.open", 3),
          Map.entry("files.getUploadURLExternal", 4),
          Map.entry("files.completeUploadExternal", 4),
          Map.entry("files.info", 4),
          Map.entry("reactions.add", 3),
          Map.entry("reactions.get", 3),
          Map.entry("reactions.remove", 2),
          Map.entry("users.info", 4));

  private Tiers() {}

  /// From now on, each method for itself; posts in each channel.
  ///
  /// @param share how many times longer the time is in which so many calls are taken
  static void keep(Faults faults, int share) {
    TIERS.forEach(
        (method, tier) ->
            faults.limit(method, CALLS.getOrDefault(tier, 1), MINUTE.multipliedBy(share)));
    faults.limit("chat.postMessage", 1, SECOND.multipliedBy(share));
  }
}
