package dev.gorkie.campaign;

import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.LocalSlack;
import java.util.stream.IntStream;

/// One of several workspaces that an application is in, and who judges what stands there.
record Neighbour(LocalSlack slack, ThreadJudge judge) {

  // Slack takes one message a second in a channel, whoever writes it.
  private static final int CHANNELS = 20;

  static Neighbour of(LocalSlack slack, Books books) {
    IntStream.range(0, CHANNELS)
        .forEach(number -> slack.addChannel(channel(number), Channel.Kind.PUBLIC));
    return new Neighbour(
        slack, new ThreadJudge(books, new Eyes(slack.url(), slack.anotherToken())));
  }

  static String channel(long number) {
    return "soak-" + number % CHANNELS;
  }
}
