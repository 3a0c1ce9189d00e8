package dev.gorkie.simulation;

import java.util.List;
import java.util.Map;

/// What a scenario came to.
///
/// @param late in seconds, of each answer: from its last word on to where it is read
/// @param cardsLate in seconds, of each card that was brought to its last state at once: how long after Pi's last word
/// @param quietWaits in seconds, of each turn outside of the first workspace: all that somebody waited beside Pi's own work
/// @param waited in seconds, all together, for what
/// @param betweenEdits in seconds, of each turn that had a card for so long
/// @param refused how often Slack refused a call
/// @param atOnce the most turns that were at work at one time
/// @param dollars for functions and sandboxes, for each turn
public record Outcome(
    long asked,
    long answered,
    List<Double> late,
    List<Double> cardsLate,
    List<Double> quietWaits,
    Map<String, Double> waited,
    List<Double> betweenEdits,
    long refused,
    int atOnce,
    int machines,
    double databaseUsed,
    double dollars) {

  /// For which limit was waited most.
  public String bottleneck() {
    return waited.entrySet().stream()
        .filter(one -> !one.getKey().equals(Simulation.STARTING))
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() > 0)
        .map(Map.Entry::getKey)
        .orElse("nothing");
  }

  /// The share of answers that were there later than this.
  public double shareLater(double seconds) {
    return late.isEmpty()
        ? 0
        : (double) late.stream().filter(it -> it > seconds).count() / late.size();
  }
}
