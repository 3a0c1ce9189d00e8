package dev.gorkie.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/// What becomes of the word that a job is over. A job's command names its own.
enum Fate {
  /// It never arrives.
  LOST,
  /// It arrives five times at once.
  OFTEN,
  /// Others say it before, who have not the job's token.
  FORGED,
  /// It arrives, three times, when the end has long been found otherwise.
  LATE,
  /// It arrives with a token whose time is over.
  EXPIRED;

  private static final Pattern NAMED = Pattern.compile("fate-([a-z]+)");

  /// One job each, in an order that follows from the seed.
  static List<Fate> of(long seed) {
    var all = new ArrayList<>(List.of(values()));
    Collections.shuffle(all, new Random(seed * 7_919));
    return all;
  }

  static Optional<Fate> named(String command) {
    var named = NAMED.matcher(command);
    return named.find()
        ? Optional.of(valueOf(named.group(1).toUpperCase(Locale.ROOT)))
        : Optional.empty();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
