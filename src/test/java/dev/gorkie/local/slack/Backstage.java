package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;

/// What is behind this Slack, for a page that looks there: the machines, the tables, the application.
public interface Backstage {

  /// True as soon as the application listens, false when it does not for a while.
  boolean knock() throws Exception;

  /// All that is to be seen of a thread.
  JsonObject look(Channel channel, String rootTs) throws Exception;

  /// The beginning of a file of the thread's machine.
  byte[] peek(Channel channel, String rootTs, String path) throws Exception;

  /// Makes something happen to a thread, and says what in one sentence.
  String pull(String lever, Channel channel, String rootTs) throws Exception;
}
