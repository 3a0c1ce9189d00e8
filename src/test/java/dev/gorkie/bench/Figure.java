package dev.gorkie.bench;

import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What was measured of one thing, several times.
///
/// @param name unique within its part, and the same in every run
/// @param beside the figure of the same part that it is a ratio to; what is under it counts as the baseline
/// @param goal what its median, or the value at its 99th percentile, is to reach
record Figure(String name, Unit unit, Spread spread, Optional<String> beside, Optional<Goal> goal) {

  /// In which direction it is better.
  enum Unit {
    MS("ms", false),
    CPU_MS("ms of CPU", false),
    MB_PER_S("MB/s", true),
    BYTES("bytes", false),
    MB("MB", false),
    S("s", false),
    DOLLARS("$", false),
    COUNT("times", false),
    FASTER("times as fast", true),
    TRANSACTIONS("transactions a second", false),
    PERCENT("%", false);

    private final String sign;
    private final boolean isMoreBetter;

    Unit(String sign, boolean isMoreBetter) {
      this.sign = sign;
      this.isMoreBetter = isMoreBetter;
    }

    String sign() {
      return sign;
    }

    boolean isMoreBetter() {
      return isMoreBetter;
    }

    static Unit read(String sign) {
      return Stream.of(values()).filter(unit -> unit.sign.equals(sign)).findFirst().orElseThrow();
    }
  }

  /// @param at the median, or the 99th percentile
  record Goal(String at, double value) {

    boolean isReached(Figure figure) {
      var reached = at.equals("p99") ? figure.spread().p99() : figure.spread().p50();
      return figure.unit().isMoreBetter() ? reached >= value : reached <= value;
    }

    @Override
    public String toString() {
      return at + " " + Table.number(value);
    }
  }

  static Figure of(String name, Unit unit, Collection<? extends Number> values) {
    var spread = Spread.of(values.stream().map(Number::doubleValue).toList());
    return new Figure(name, unit, spread, Optional.empty(), Optional.empty());
  }

  static Figure of(String name, Unit unit, double value) {
    return of(name, unit, List.of(value));
  }

  Figure beside(String baseline) {
    return new Figure(name, unit, spread, Optional.of(baseline), goal);
  }

  /// What the median is to be.
  Figure goal(double value) {
    return new Figure(name, unit, spread, beside, Optional.of(new Goal("p50", value)));
  }

  /// What 99 of 100 are to be.
  Figure goalOfMost(double value) {
    return new Figure(name, unit, spread, beside, Optional.of(new Goal("p99", value)));
  }

  JsonObject json() {
    var json =
        new JsonObject().put("name", name).put("unit", unit.sign()).put("spread", spread.json());
    beside.ifPresent(it -> json.put("beside", it));
    goal.ifPresent(
        it -> json.put("goal", new JsonObject().put("at", it.at()).put("value", it.value())));
    return json;
  }

  static Figure read(JsonObject json) {
    return new Figure(
        json.getString("name"),
        Unit.read(json.getString("unit")),
        Spread.read(json.getJsonObject("spread")),
        Optional.ofNullable(json.getString("beside")),
        Optional.ofNullable(json.getJsonObject("goal"))
            .map(goal -> new Goal(goal.getString("at"), goal.getDouble("value"))));
  }
}
