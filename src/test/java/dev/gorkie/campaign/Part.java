package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Path;

/// One way in which things go wrong, and how it is tried.
interface Part {

  String name();

  /// Tells the figures what came of it.
  ///
  /// @param log where the application writes
  void run(Size size, Figures figures, Path log) throws IOException, InterruptedException;

  /// How many faults must have struck for each history, where no history has one planned that can be counted; with fewer, next to
  /// nothing was tried.
  default double faultsLeast() {
    return 0;
  }

  /// How many of a hundred messages may come to an apology. Whoever takes over goes on where the other one was, so hardly any; what is
  /// left is a worker's death between what he has asked Pi and what shows that Pi has it, where asking twice would be worse.
  default int sorryMost() {
    return 2;
  }
}
