package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;

/// Nothing is known of what is behind this Slack.
final class EmptyBackstage implements Backstage {

  @Override
  public boolean knock() {
    return true;
  }

  @Override
  public JsonObject look(Channel channel, String rootTs) {
    return new JsonObject();
  }

  @Override
  public byte[] peek(Channel channel, String rootTs, String path) {
    throw new IllegalArgumentException("There is no file " + path);
  }

  @Override
  public String pull(String lever, Channel channel, String rootTs) {
    throw new IllegalArgumentException("There is no lever " + lever);
  }
}
