package dev.gorkie.workbench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// What the sandboxes of a tenant are held to, under a name.
///
/// @param network what they may reach: empty for what the operator lets all reach
/// @param runtimes the languages that are meant to be used; advice and no wall
/// @param environment what programs find in their environment
public record Policy(
    String tenant,
    String name,
    Optional<String> network,
    OptionalInt memoryMb,
    OptionalInt timeoutSeconds,
    List<String> runtimes,
    Map<String, String> environment) {

  /// What holds in a session for which none is named, where a tenant has one of this name.
  public static final String USUAL = "default";
}
