package dev.gorkie.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whom or what the operator has named: who is denied is denied, and where some are allowed all others are not. An id may have
/// its workspace before it, as `T012AB3CD/U012AB3CD`.
record Listed(Set<String> allowed, Set<String> denied) {

  static final Listed ALL = new Listed(Set.of(), Set.of());

  static Listed of(Optional<List<String>> allowed, Optional<List<String>> denied) {
    return new Listed(
        allowed.<Set<String>>map(Set::copyOf).orElse(Set.of()),
        denied.<Set<String>>map(Set::copyOf).orElse(Set.of()));
  }

  boolean has(String team, String id) {
    return !isDenied(team, id) && (allowed.isEmpty() || names(allowed, team, id));
  }

  boolean isDenied(String team, String id) {
    return names(denied, team, id);
  }

  static boolean names(Set<String> ids, String team, String id) {
    return ids.contains(id) || ids.contains(team + "/" + id);
  }
}
