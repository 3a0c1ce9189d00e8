package dev.gorkie.local.slack;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The other workspaces of the same Slack: one address, and a token or a path tells which is meant.
final class Neighbours {
  private final Map<String, Door> doors = new ConcurrentHashMap<>();
  private final Grants grants;

  Neighbours(Grants grants) {
    this.grants = grants;
  }

  void add(String team, Door door) {
    doors.put(team, door);
  }

  /// The one whose part of the address this is.
  Optional<Door> at(String path) {
    var end = path.indexOf('/', 1);
    return end < 0 ? Optional.empty() : Optional.ofNullable(doors.get(path.substring(1, end)));
  }

  /// The one that a token opens.
  Optional<Door> by(String token) {
    return grants.team(token).map(doors::get);
  }
}
