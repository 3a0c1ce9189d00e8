package dev.gorkie.local.daytona;

import java.time.Duration;

/// What all terminals of a world have in common.
///
/// @param untilConnected so long the word that somebody is connected waits for the terminal's first output
record Stage(Faults faults, Counters counters, Cast cast, Duration untilConnected) {}
