package dev.gorkie.local.slack;

import java.util.Set;

/// A place where people write: a channel, or the direct messages of somebody with the app.
public record Channel(String id, String name, Kind kind, Set<String> members) {

  /// What sort of place it is, and Slack's word for that in an event's `channel_type`.
  public enum Kind {
    PUBLIC("channel"),
    PRIVATE("group"),
    DIRECT("im"),
    GROUP_DIRECT("mpim");

    private final String wire;

    Kind(String wire) {
      this.wire = wire;
    }

    String wire() {
      return wire;
    }
  }

  public Channel {
    members = Set.copyOf(members);
  }

  boolean direct() {
    return kind == Kind.DIRECT;
  }
}
