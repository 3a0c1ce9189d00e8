package dev.gorkie.logbook;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Metrics as Prometheus asks for them: a dozen series, added up since the start.
///
/// A registry would weigh megabytes in the function's archive for what only a server shows.
final class ScrapedMeters implements Meters {

  private static final double NANOS_PER_SECOND = 1e9;

  // All guarded by this object's own lock: whoever counts waits for nobody longer than it takes to
  // print some lines.
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final Map<Took, Histogram> times = new EnumMap<>(Took.class);
  // By the labels that tell them apart.
  private final Map<String, Long> outcomes = new TreeMap<>();
  private Duration oldest = Duration.ZERO;
  private long awake;
  private long tokens;
  private BigDecimal spent = BigDecimal.ZERO;

  ScrapedMeters() {
    for (var count : Count.values()) {
      counts.put(count, 0L);
    }
    for (var what : Took.values()) {
      times.put(what, new Histogram(what.bounds()));
    }
  }

  @Override
  public synchronized void counted(Count count) {
    counts.merge(count, 1L, Long::sum);
  }

  @Override
  public synchronized void took(Took what, Duration time) {
    times.computeIfAbsent(what, it -> new Histogram(it.bounds())).add(time);
  }

  @Override
  public synchronized void queueAge(Duration oldest) {
    this.oldest = oldest;
  }

  @Override
  public synchronized void sandboxes(long awake) {
    this.awake = awake;
  }

  @Override
  public synchronized void ended(Ended turn) {
    took(Took.TURN, turn.took());
    var labels = "{code=\"%s\",fault=\"%s\"}".formatted(turn.code(), turn.faultWord());
    outcomes.merge(labels, 1L, Long::sum);
    tokens += turn.tokens();
    spent = spent.add(turn.cost());
  }

  /// In the text format that Prometheus reads, version 0.0.4.
  synchronized String text() {
    var text = new StringBuilder();
    times.forEach(
        (what, histogram) -> {
          head(text, what.series(), what.help(), "histogram");
          histogram.print(text, what.series());
        });
    counts.forEach(
        (count, value) -> {
          head(text, count.series(), count.help(), "counter");
          line(text, count.series(), Long.toString(value));
        });
    head(text, "gorkie_outcomes_total", "Turns that ended, by what they came to", "counter");
    outcomes.forEach(
        (labels, value) -> line(text, "gorkie_outcomes_total" + labels, Long.toString(value)));
    head(text, "gorkie_tokens_total", "Tokens that turns have used", "counter");
    line(text, "gorkie_tokens_total", Long.toString(tokens));
    head(
        text,
        "gorkie_spend_total",
        "What turns have cost, as the model's provider counts",
        "counter");
    line(text, "gorkie_spend_total", spent.toPlainString());
    head(
        text,
        "gorkie_queue_age_seconds",
        "How long the oldest message has waited that nobody works on",
        "gauge");
    line(text, "gorkie_queue_age_seconds", Long.toString(oldest.toSeconds()));
    head(text, "gorkie_sandboxes", "Sandboxes that are awake", "gauge");
    line(text, "gorkie_sandboxes", Long.toString(awake));
    return text.toString();
  }

  private static void head(StringBuilder text, String series, String help, String type) {
    text.append("# HELP ").append(series).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(series).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder text, String series, String value) {
    text.append(series).append(' ').append(value).append('\n');
  }

  private static final class Histogram {

    private final double[] bounds;
    private final long[] within;
    private long count;
    private double seconds;

    Histogram(double[] bounds) {
      this.bounds = bounds;
      this.within = new long[bounds.length];
    }

    void add(Duration time) {
      var took = time.toNanos() / NANOS_PER_SECOND;
      count++;
      seconds += took;
      for (var at = 0; at < bounds.length; at++) {
        if (took <= bounds[at]) {
          within[at]++;
        }
      }
    }

    void print(StringBuilder text, String series) {
      for (var at = 0; at < bounds.length; at++) {
        var bound = "%s_bucket{le=\"%s\"}".formatted(series, bounds[at]);
        line(text, bound, Long.toString(within[at]));
      }
      line(text, series + "_bucket{le=\"+Inf\"}", Long.toString(count));
      line(text, series + "_sum", String.format(Locale.ROOT, "%.3f", seconds));
      line(text, series + "_count", Long.toString(count));
    }
  }
}
