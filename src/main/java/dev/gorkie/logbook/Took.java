package dev.gorkie.logbook;

/// What is timed.
public enum Took {
  /// From Slack's request to our answer.
  ACK(
      "Ack",
      "gorkie_ack_seconds",
      "From Slack's request to the answer",
      0.01,
      0.05,
      0.1,
      0.25,
      0.5,
      1,
      2,
      3),
  /// From a person's message to the first sign in Slack that somebody is at work.
  FIRST_SIGN(
      "FirstSign",
      "gorkie_first_sign_seconds",
      "From a message to the first sign of work",
      0.5,
      1,
      2,
      3,
      5,
      10,
      30,
      60),
  /// From the beginning of a turn to its outcome, whoever worked on it.
  TURN(
      "Turn",
      "gorkie_turn_seconds",
      "From the beginning of a turn to its outcome",
      5,
      15,
      30,
      60,
      120,
      300,
      600,
      1200,
      3600);

  private final String name;
  private final String series;
  private final String help;
  private final double[] bounds;

  Took(String name, String series, String help, double... bounds) {
    this.name = name;
    this.series = series;
    this.help = help;
    this.bounds = bounds;
  }

  String metric() {
    return name;
  }

  String series() {
    return series;
  }

  String help() {
    return help;
  }

  /// In seconds, rising: where Prometheus counts what was shorter.
  double[] bounds() {
    return bounds.clone();
  }
}
