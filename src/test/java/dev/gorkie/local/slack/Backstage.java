package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;

/// What is behind this Slack, for a page that looks there: the machines, the tables, the application.
public interface Backstage {

  /// Returns when the application listens, or when it does not for a long time.
  void knock() throws Exception;

  /// All that is to be seen of a thread.
  JsonObject look(Channel channel, String rootTs) throws Exception;

  /// Makes something happen, and says what in one sentence.
  ///
  /// @param given what the lever needs to know: the thread, and more
  String pull(String lever, Channel channel, String rootTs, JsonObject given) throws Exception;
}
