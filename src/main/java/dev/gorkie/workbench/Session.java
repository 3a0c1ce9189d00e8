package dev.gorkie.workbench;

import java.time.Instant;
import java.util.Optional;

/// What a program has of its own, as whoever looks after all of them sees it.
///
/// @param id by which all of them are in one order
/// @param status of its sandbox, as far as we know; empty while it has none
/// @param open how many operations are under way in it
public record Session(
    String id,
    String tenant,
    String name,
    boolean ephemeral,
    Optional<String> policy,
    Optional<String> status,
    int open,
    Instant created,
    Instant used) {}
