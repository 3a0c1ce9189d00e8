package dev.gorkie.bench;

/// Something that is measured by itself.
interface Part {

  String name();

  void run(Size size, Figures figures) throws Exception;
}
