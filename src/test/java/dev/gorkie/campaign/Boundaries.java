package dev.gorkie.campaign;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The boundaries of turns, learned from some without a fault, each with the kinds of turn it belongs to.
///
/// Of what comes more often only the first counts: the rest are the same at another time, and times are tried elsewhere.
record Boundaries(Map<String, List<Wish>> kinds) {

  // The process dies the same death on both sides of what only reads, or of what the next boundary
  // stands right behind. The door has a part of its own.
  private static final Pattern UNEVENTFUL =
      Pattern.compile(
          "door .*|db (something|begin|select|set|show|pg_advisory|commit of select|commit of pg_).*"
              + "|db commit .* before#1");
  private static final int MILLIS = 200;
  // Long enough for words to be appended.
  private static final int WORDS_MILLIS = 1_500;
  // Longer than anybody takes to have it stopped, also after a worker has died.
  private static final int STOPPED_MILLIS = 60_000;

  static Boundaries learn(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var quiet = new ArrayList<Histories.Planned>();
    for (var wish : all()) {
      quiet.add(new Histories.Planned("t" + quiet.size(), 1, wish, Plan.none()));
    }
    var kinds = new LinkedHashMap<String, List<Wish>>();
    for (var outcome : new Histories(scene, size, figures).run(quiet)) {
      for (var boundary : outcome.boundaries()) {
        if (boundary.endsWith("#1") && !UNEVENTFUL.matcher(boundary).matches()) {
          kinds.computeIfAbsent(boundary, _ -> new ArrayList<>()).add(outcome.wish());
        }
      }
    }
    figures.count("boundaries", kinds.size());
    kinds.keySet().forEach(boundary -> System.out.println("  " + boundary));
    return new Boundaries(kinds);
  }

  /// The one that was named, as a failure names it.
  static Boundaries named(String boundary) {
    var named = boundary.split(Size.KIND, 2);
    return new Boundaries(
        Map.of(
            named[0],
            all().stream().filter(it -> named.length < 2 || it.kind().equals(named[1])).toList()));
  }

  List<String> names() {
    return List.copyOf(kinds.keySet());
  }

  /// A turn that has it.
  Wish turnWith(String boundary, long seed) {
    var with = kinds.getOrDefault(boundary, all());
    return with.get((int) (seed % with.size()));
  }

  static List<Wish> all() {
    var kinds = new ArrayList<Wish>();
    for (var shape : List.of("tools", "plain", "file")) {
      kinds.add(new Wish(shape, MILLIS, false, false));
    }
    kinds.add(new Wish("tools", MILLIS, true, false));
    kinds.add(new Wish("words", WORDS_MILLIS, true, false));
    kinds.add(new Wish("stopped", STOPPED_MILLIS, false, false));
    return kinds;
  }
}
