package dev.gorkie.campaign;

import java.io.IOException;

/// One kind of fault, and the histories that try it.
interface Part {

  String name();

  default Form form() {
    return Form.usual();
  }

  /// Tells the figures what came of each history.
  void run(Scene scene, Size size, Figures figures) throws IOException, InterruptedException;
}
