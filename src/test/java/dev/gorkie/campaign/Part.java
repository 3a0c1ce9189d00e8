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
}
