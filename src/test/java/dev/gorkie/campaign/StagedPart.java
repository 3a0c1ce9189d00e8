package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Path;

/// One kind of fault, and the histories that try it.
interface StagedPart extends Part {

  default Form form(Size size) {
    return Form.usual();
  }

  /// Tells the figures what came of each history.
  void run(Scene scene, Size size, Figures figures) throws IOException, InterruptedException;

  @Override
  default void run(Size size, Figures figures, Path log) throws IOException, InterruptedException {
    try (var scene = new Scene(new Pace(size.time()), size.side(), form(size), log)) {
      run(scene, size, figures);
      for (var told : scene.indiscretions()) {
        figures.violated("what the functions said", told, "make campaign PART=" + name());
      }
    }
  }
}
