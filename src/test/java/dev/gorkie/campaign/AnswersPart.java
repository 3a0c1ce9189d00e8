package dev.gorkie.campaign;

import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/// Slack takes what it is told, and its answer is lost: about half of the calls of each turn.
final class AnswersPart implements StagedPart {

  private static final int HISTORIES = 600;
  private static final double LOST = 0.5;
  // Three in a row of those that only look would leave nobody any wiser; that is another part's.
  private static final double LOOKS_LOST = 0.15;

  @Override
  public String name() {
    return "answers";
  }

  // About four for each turn.
  @Override
  public double faultsLeast() {
    return 1;
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var planned =
        size.ofEach(
            HISTORIES,
            seed -> new Histories.Planned("a" + seed, seed, Wish.of(seed), new Losing(seed)));
    new Histories(scene, size, figures).run(planned);
  }

  /// Whether an answer is lost follows from the seed and from what is asked.
  private record Losing(long seed) implements Plan {

    private static final Pattern TOLD =
        Pattern.compile("slack (chat|files\\.complete|files\\.getUpload|upload|agents).* after#.*");
    private static final Pattern LOOKS =
        Pattern.compile("slack (conversations|files\\.info|users).* after#.*");

    @Override
    public Optional<Fault> at(String boundary) {
      var share =
          TOLD.matcher(boundary).matches()
              ? LOST
              : LOOKS.matcher(boundary).matches() ? LOOKS_LOST : 0;
      var random = new Random(seed * 1_000_003 + boundary.hashCode());
      random.nextLong();
      return random.nextDouble() < share ? Optional.of(Fault.cut(boundary)) : Optional.empty();
    }
  }
}
