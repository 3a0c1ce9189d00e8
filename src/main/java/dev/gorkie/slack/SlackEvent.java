package dev.gorkie.slack;

import dev.gorkie.ThreadKey;
import java.util.Optional;

/// What a delivery from Slack says happened.
public sealed interface SlackEvent {

  /// Slack asks whether we are there, and wants the challenge back.
  record UrlVerification(String challenge) implements SlackEvent {}

  /// Somebody wrote something that may concern us, or pressed a button that says the same.
  record Said(MessageEvent message) implements SlackEvent {}

  /// The message as it is now, since `editedTs`; `eventId` is that of the edit. It may have become an aside.
  record Edited(MessageEvent message, String editedTs) implements SlackEvent {}

  /// The message as it was, where Slack said it.
  record Deleted(String team, String channel, String ts, Optional<MessageEvent> message)
      implements SlackEvent {}

  /// Somebody answered a question of ours.
  record Decided(Answered answer) implements SlackEvent {}

  /// Somebody pressed a button of a list of ours.
  record Chosen(Pressed pressed) implements SlackEvent {}

  /// Somebody put a stop sign under a message.
  record Stopping(Reacted reaction) implements SlackEvent {}

  /// Somebody gave a slash command.
  record Slashed(Slash command) implements SlackEvent {}

  /// Somebody is at our page.
  record Visited(AtHome at) implements SlackEvent {}

  /// Somebody has come into the conversation with us, or looks at something else beside it.
  record Looking(Glance glance) implements SlackEvent {}

  /// We were let into a workspace, or thrown out of one.
  record Joining(Membership change) implements SlackEvent {}

  /// Understood, and no concern of ours.
  record Ignored(Reason reason) implements SlackEvent {}

  /// Something we do not know.
  record Unknown(String type) implements SlackEvent {}

  /// No JSON, or not in the form that Slack documents. Nothing a person wrote is in the reason.
  record Malformed(String reason) implements SlackEvent {}

  /// The conversation it belongs to, where there is one and it is known.
  default Optional<ThreadKey> thread() {
    return switch (this) {
      case Said(var message) -> Optional.of(message.threadKey());
      case Edited(var message, _) -> Optional.of(message.threadKey());
      case Deleted deleted -> deleted.message().map(MessageEvent::threadKey);
      case Decided _,
          Chosen _,
          Stopping _,
          Slashed _,
          Visited _,
          Looking _,
          Joining _,
          UrlVerification _,
          Ignored _,
          Unknown _,
          Malformed _ ->
          Optional.empty();
    };
  }

  /// What a person wrote or changed, where that is what happened.
  default Optional<MessageEvent> written() {
    return switch (this) {
      case Said(var message) -> Optional.of(message);
      case Edited(var message, _) -> Optional.of(message);
      case Deleted _,
          Decided _,
          Chosen _,
          Stopping _,
          Slashed _,
          Visited _,
          Looking _,
          Joining _,
          UrlVerification _,
          Ignored _,
          Unknown _,
          Malformed _ ->
          Optional.empty();
    };
  }

  enum Reason {
    OUR_OWN,
    A_BOTS,
    SLACKBOTS,
    SUBTYPE,
    /// A link was unfurled, a reply counted: Slack calls that an edit.
    NOTHING_CHANGED,
    /// Talk in a channel, in no thread, that does not mention us.
    NOT_ADDRESSED,
    /// Marked by its author as not meant for us.
    ASIDE,
    /// Slack says that it holds deliveries back.
    RATE_LIMITED
  }

  /// The same where only JSON may come.
  static SlackEvent readJson(byte[] body) {
    return EventReader.read(body);
  }

  /// The body's raw bytes: an event's JSON, or the form in which a click or a slash command comes.
  static SlackEvent read(byte[] body) {
    if (Click.isOne(body)) {
      return Click.read(body);
    }
    return Slash.isOne(body) ? Slash.read(body) : EventReader.read(body);
  }
}
