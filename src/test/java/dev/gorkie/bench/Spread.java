package dev.gorkie.bench;

import io.vertx.core.json.JsonObject;
import java.util.List;

/// Several values of the same, in short. Each percentile is a value that occurred.
///
/// @param noise the median distance from the median: half of the values lie nearer
record Spread(
    int times, double least, double p50, double p99, double p999, double most, double noise) {

  static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("There is nothing to tell of no values");
    }
    var sorted = values.stream().sorted().toList();
    var median = at(sorted, 0.5);
    var distances = sorted.stream().map(value -> Math.abs(value - median)).sorted().toList();
    return new Spread(
        sorted.size(),
        sorted.getFirst(),
        median,
        at(sorted, 0.99),
        at(sorted, 0.999),
        sorted.getLast(),
        at(distances, 0.5));
  }

  private static double at(List<Double> sorted, double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  JsonObject json() {
    return new JsonObject()
        .put("times", times)
        .put("least", least)
        .put("p50", p50)
        .put("p99", p99)
        .put("p999", p999)
        .put("most", most)
        .put("noise", noise);
  }

  static Spread read(JsonObject json) {
    return new Spread(
        json.getInteger("times"),
        json.getDouble("least"),
        json.getDouble("p50"),
        json.getDouble("p99"),
        json.getDouble("p999"),
        json.getDouble("most"),
        json.getDouble("noise"));
  }
}
