package dev.gorkie.workbench;

import java.time.Instant;
import java.util.Optional;

/// How an operation stands.
///
/// @param session by the program's own name for it
/// @param outcome once it is over
public record Standing(
    String id, Kind kind, Optional<String> session, Instant accepted, Optional<Outcome> outcome) {}
