package dev.gorkie.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A thread that somebody comes back to now and then. One at a time has it in hand.
final class Talk {

  private final Neighbour in;
  private final String channel;
  private final List<Told> told = new ArrayList<>();
  private Instant asked = Instant.MIN;

  Talk(Neighbour in, String channel) {
    this.in = in;
    this.channel = channel;
  }

  /// Writes another message, under a name of its own.
  void ask(String name, Wish wish, long seed) {
    var words = "@gorkie " + wish.text(name, seed);
    var slack = in.slack();
    var ts =
        told.isEmpty()
            ? slack.say(channel, "ada", words)
            : slack.reply(channel, root(), "ada", words);
    told.add(new Told(name, ts));
    asked = Instant.now();
  }

  Neighbour in() {
    return in;
  }

  Instant asked() {
    return asked;
  }

  int turns() {
    return told.size();
  }

  Told last() {
    return told.getLast();
  }

  private String root() {
    return told.getFirst().ts();
  }

  String channelId() {
    return in.slack().channel(channel).id();
  }

  String thread() {
    return in.slack().teamId() + ":" + channelId() + ":" + root();
  }

  List<Told> told() {
    return List.copyOf(told);
  }

  boolean isShownAtWork() {
    return in.slack().thread(channel, root()).isShownAtWork();
  }

  Judge.Case about() {
    return new Judge.Case(thread(), channelId(), root(), told(), 0);
  }
}
