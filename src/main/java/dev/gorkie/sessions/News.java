package dev.gorkie.sessions;

import java.time.Instant;
import java.util.Optional;

/// What the people in the thread should know before they read on.
///
/// @param filesOf when the files that are gone were last worked with; empty when no file is lost
/// @param carried whether the files were carried over to another sandbox
/// @param remembered whether what was said in the thread is still known, if only from a copy
public record News(Optional<Instant> filesOf, boolean carried, boolean remembered) {}
