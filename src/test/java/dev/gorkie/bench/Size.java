package dev.gorkie.bench;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// How much is to be measured: `short` to see in a minute or two whether something has gone wrong, `full` for figures that are recorded.
/// A part's own measures can be set one by one.
record Size(boolean isFull, Map<String, String> environment) {

  static Size from(Map<String, String> environment) {
    return switch (environment.getOrDefault("BENCH_SIZE", "")) {
      case "", "full" -> new Size(true, environment);
      case "short" -> shortened(environment);
      case String other ->
          throw new IllegalArgumentException("SIZE is short or full and not “" + other + "”");
    };
  }

  private static Size shortened(Map<String, String> environment) {
    var size = new Size(false, environment);
    if (size.isRecorded()) {
      throw new IllegalArgumentException("RECORD keeps figures in full, and SIZE is short");
    }
    return size;
  }

  /// Which part alone, if only one.
  Optional<String> part() {
    return set("PART");
  }

  /// Whether what comes of it is kept as this machine's figures.
  boolean isRecorded() {
    return set("RECORD").isPresent();
  }

  /// A measure of this name, as `make` was given it.
  int of(String name, int little, int full) {
    var said = set(name);
    try {
      var number = said.map(Integer::parseInt).orElse(isFull ? full : little);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // It is told below.
    }
    throw new IllegalArgumentException(
        name + " is a number of 1 or more and not “" + said.orElseThrow() + "”");
  }

  private Optional<String> set(String name) {
    return Optional.ofNullable(environment.get("BENCH_" + name.toUpperCase(Locale.ROOT)))
        .filter(it -> !it.isBlank());
  }
}
