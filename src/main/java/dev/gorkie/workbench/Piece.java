package dev.gorkie.workbench;

/// What an operation has printed from some offsets on.
///
/// @param over whether there is nothing more to come
/// @param stdoutNext the offset from which the next piece goes on
public record Piece(boolean over, String stdout, long stdoutNext, String stderr, long stderrNext) {}
