package dev.gorkie.turns;

import dev.gorkie.Failure;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.Conversations.Place;
import dev.gorkie.slack.Glances;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Seen;
import java.util.List;
import java.util.stream.Collectors;

/// What the one who asks has before them in Slack, told to the agent: where things are, and nothing of what they say.
final class Outlook {

  private final Glances glances;
  private final Conversations conversations;

  Outlook(Glances glances, Conversations conversations) {
    this.glances = glances;
    this.conversations = conversations;
  }

  /// Empty where it is not known, or somebody else could read along.
  String of(MessageEvent event, String name) {
    var seen = seen(event);
    return seen.isEmpty()
        ? ""
        : name
            + " has this open in Slack, which the message may be about or not: "
            + seen.stream().map(it -> told(event.team(), it)).collect(Collectors.joining(", "))
            + ".";
  }

  private List<Seen> seen(MessageEvent event) {
    if (!event.direct()) {
      return List.of();
    }
    return event.seen().isEmpty() ? glances.of(event.team(), event.user()) : event.seen();
  }

  private String told(String team, Seen seen) {
    return switch (seen.kind()) {
      case CHANNEL -> "the channel " + called(team, seen.id());
      case MESSAGE -> "the message %s in %s".formatted(seen.ts(), called(team, seen.id()));
      case CANVAS -> "the canvas " + seen.id();
      case LIST -> "the list " + seen.id();
    };
  }

  /// With its name, where we may know it.
  private String called(String team, String channel) {
    try {
      return conversations
          .place(team, channel)
          .map(Place::name)
          .filter(name -> !name.isEmpty())
          .map(name -> "#" + name + " (" + channel + ")")
          .orElse(channel);
    } catch (Failure _) {
      return channel;
    }
  }
}
