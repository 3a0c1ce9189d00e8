package dev.gorkie.workbench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/// What a program wants to have done.
///
/// @param session by the program's own name for it; without one the operation has a machine of its own, and that is gone afterwards
/// @param wish as the sandbox reads it
/// @param policy that is to hold in the session; without one the usual
/// @param key under which it is asked for: asked twice, it is the same operation
public record Order(
    String tenant,
    Optional<String> session,
    Optional<String> policy,
    Kind kind,
    ObjectNode wish,
    Optional<Key> key) {

  /// @param hash of all that was asked
  public record Key(String name, String hash) {}
}
