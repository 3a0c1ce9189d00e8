package dev.gorkie.policy;

import dev.gorkie.policy.Rules.Where;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.SlackEvent;
import java.util.Optional;

/// What a delivery says that somebody wants, and how it was said.
///
/// @param message what was written, where something was
record Wanted(Way way, Act act, String user, Where where, Optional<MessageEvent> message) {

  /// Empty where it is nobody's wish: what Slack itself tells, and what is no concern of ours.
  static Optional<Wanted> by(SlackEvent event) {
    return switch (event) {
      case SlackEvent.Said(var said) -> Optional.of(of(way(said), act(said), said));
      case SlackEvent.Edited(var edited, _) -> Optional.of(of(Way.EDIT, Act.START, edited));
      case SlackEvent.Deleted(_, _, _, var was) ->
          was.map(message -> of(Way.DELETION, Act.WITHDRAW, message));
      case SlackEvent.Decided(var answer) ->
          Optional.of(of(Way.BUTTON, Act.APPROVE, answer.team(), answer.channel(), answer.user()));
      case SlackEvent.Chosen(var pressed) ->
          Optional.of(
              of(
                  pressed.isAtHome() ? Way.HOME : Way.BUTTON,
                  Act.STOP,
                  pressed.team(),
                  pressed.channel(),
                  pressed.user()));
      case SlackEvent.Stopping(var reaction) ->
          Optional.of(
              of(Way.REACTION, Act.STOP, reaction.team(), reaction.channel(), reaction.user()));
      case SlackEvent.Slashed(var slash) ->
          Optional.of(of(Way.SLASH, Act.CHOOSE, slash.team(), slash.channel(), slash.user()));
      case SlackEvent.Visited(var at) ->
          Optional.of(of(Way.HOME, Act.CHOOSE, at.team(), "", at.user()));
      case SlackEvent.Looking(var glance) ->
          Optional.of(
              of(Way.HOME, Act.CHOOSE, glance.team(), glance.direct().orElse("D"), glance.user()));
      case SlackEvent.Joining _,
          SlackEvent.UrlVerification _,
          SlackEvent.Ignored _,
          SlackEvent.Unknown _,
          SlackEvent.Malformed _ ->
          Optional.empty();
    };
  }

  private static Wanted of(Way way, Act act, MessageEvent message) {
    return new Wanted(
        way,
        act,
        message.user(),
        new Where(message.team(), message.channel(), message.direct()),
        Optional.of(message));
  }

  private static Wanted of(Way way, Act act, String team, String channel, String user) {
    return new Wanted(
        way, act, user, new Where(team, channel, channel.startsWith("D")), Optional.empty());
  }

  private static Way way(MessageEvent said) {
    return switch (said.kind()) {
      case STOP -> Way.STOP_BUTTON;
      case CONTINUED -> Way.SHORTCUT;
      case FOLLOW_UP -> Way.LATER;
      case APP_MENTION, MESSAGE -> {
        if (said.direct()) {
          yield Way.DIRECT;
        }
        // Slack's older ids of conversations of some people begin so, and those of closed channels
        // did.
        if (said.channel().startsWith("G")) {
          yield Way.GROUP_DIRECT;
        }
        yield said.mentionsUs() ? Way.MENTION : Way.THREAD_REPLY;
      }
    };
  }

  /// Whether what is under way is steered or something begins is told by what is under way, and makes no difference to who may.
  private static Act act(MessageEvent said) {
    if (said.isStop()) {
      return Act.STOP;
    }
    return said.command().isPresent() ? Act.CHOOSE : Act.START;
  }

  boolean isPrograms() {
    return message.filter(MessageEvent::isPrograms).isPresent();
  }
}
