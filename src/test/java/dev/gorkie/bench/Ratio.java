package dev.gorkie.bench;

import java.util.Locale;
import java.util.Optional;

/// How a figure stands beside its baseline, measured in the same run: what the machine did to both falls out.
///
/// @param noise by how much of itself it may be off by chance alone
record Ratio(double value, double noise) {

  static Optional<Ratio> of(Figures part, Figure figure) {
    return figure
        .beside()
        .flatMap(part::find)
        .filter(baseline -> baseline.spread().p50() != 0)
        .map(
            baseline ->
                new Ratio(
                    figure.spread().p50() / baseline.spread().p50(),
                    relative(figure.spread()) + relative(baseline.spread())));
  }

  static double relative(Spread spread) {
    return spread.p50() == 0 ? 0 : spread.noise() / Math.abs(spread.p50());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f times", value);
  }
}
