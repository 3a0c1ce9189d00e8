package dev.gorkie.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.slack.SlackEvent.Deleted;
import dev.gorkie.slack.SlackEvent.Edited;
import dev.gorkie.slack.SlackEvent.Ignored;
import dev.gorkie.slack.SlackEvent.Malformed;
import dev.gorkie.slack.SlackEvent.Reason;
import dev.gorkie.slack.SlackEvent.Said;
import dev.gorkie.slack.SlackEvent.Unknown;
import dev.gorkie.slack.SlackEvent.UrlVerification;
import java.io.IOException;
import java.io.Serial;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Reads one delivery of the Events API, field by field.
final class EventReader {

  static final Pattern ID = Pattern.compile("[A-Za-z0-9]{1,64}");
  static final Pattern TS = Pattern.compile("[0-9]{1,16}\\.[0-9]{1,16}");
  private static final String SLACKBOT = "USLACKBOT";

  private final JsonNode envelope;
  private final JsonNode event;
  // Slack lists one installation even where several would match: the one this delivery is for.
  private final JsonNode installation;
  private final Optional<String> ourUser;

  private EventReader(JsonNode envelope) {
    this.envelope = envelope;
    this.event = envelope.path("event");
    this.installation = envelope.path("authorizations").path(0);
    this.ourUser = text(installation, "user_id").filter(user -> ID.matcher(user).matches());
  }

  static SlackEvent read(byte[] body) {
    try {
      var envelope = DoorJson.READER.readTree(body);
      return switch (text(envelope, "type").orElse("")) {
        case "url_verification" -> new UrlVerification(needed(envelope, "challenge"));
        case "event_callback" -> new EventReader(envelope).event();
        case Membership.TYPE ->
            new SlackEvent.Joining(new Membership.Agreed(needed(envelope, "code")));
        case "app_rate_limited" -> new Ignored(Reason.RATE_LIMITED);
        case "" -> new Malformed("type is missing");
        case String type -> new Unknown(type);
      };
    } catch (IOException _) {
      return new Malformed("no JSON");
    } catch (Misshapen misshapen) {
      return new Malformed(misshapen.what);
    }
  }

  private SlackEvent event() throws Misshapen {
    return switch (text(event, "type").orElse("")) {
      case "app_mention" -> said(MessageEvent.Kind.APP_MENTION);
      case "message" ->
          switch (text(event, "subtype").orElse("")) {
            case "message_changed" -> changed();
            case "message_deleted" -> deleted(event.path("previous_message"));
            default -> said(MessageEvent.Kind.MESSAGE);
          };
      case "agent_session_stopped" -> new Said(stop());
      case FollowUp.TYPE -> new Said(message(event, MessageEvent.Kind.FOLLOW_UP));
      case "reaction_added" -> reacted();
      case "app_home_opened" -> visited();
      case "app_context_changed" -> looking(false);
      case "app_uninstalled" -> ended();
      case "tokens_revoked" ->
          event.path("tokens").path("bot").isEmpty() ? new Ignored(Reason.NOT_ADDRESSED) : ended();
      case "" -> new Malformed("event.type is missing");
      case String type -> new Unknown(type);
    };
  }

  /// Slack's own button for stopping. It belongs to a thread and to no message.
  private MessageEvent stop() throws Misshapen {
    return MessageEvent.stop(
        appId(),
        eventId(),
        team(),
        channel(),
        isDirect(),
        matching(TS, "event_ts", needed(event, "event_ts")),
        matching(TS, "thread_ts", needed(event, "thread_ts")),
        matching(ID, "user", needed(event, "user")));
  }

  private SlackEvent reacted() throws Misshapen {
    var item = event.path("item");
    var user = matching(ID, "user", needed(event, "user"));
    if (!text(event, "reaction").equals(Optional.of(Reacted.EMOJI))
        || !text(item, "type").equals(Optional.of("message"))
        || ourUser.filter(user::equals).isPresent()) {
      return new Ignored(Reason.NOT_ADDRESSED);
    }
    return new SlackEvent.Stopping(
        new Reacted(
            appId(),
            eventId(),
            team(),
            matching(ID, "channel", needed(item, "channel")),
            matching(TS, "ts", needed(item, "ts")),
            user,
            matching(TS, "event_ts", needed(event, "event_ts"))));
  }

  private SlackEvent ended() throws Misshapen {
    var at = Instant.ofEpochSecond(envelope.path("event_time").asLong());
    return new SlackEvent.Joining(new Membership.Ended(org().orElse(team()), at));
  }

  /// The organisation, where the whole of it has let us in.
  private Optional<String> org() {
    return installation.path("is_enterprise_install").asBoolean()
        ? text(installation, "enterprise_id").filter(id -> ID.matcher(id).matches())
        : Optional.empty();
  }

  private SlackEvent visited() throws Misshapen {
    return switch (text(event, "tab").orElse("")) {
      case "home" ->
          new SlackEvent.Visited(
              new AtHome(team(), matching(ID, "user", needed(event, "user")), Optional.empty()));
      case "messages" -> looking(true);
      default -> new Ignored(Reason.NOT_ADDRESSED);
    };
  }

  /// @param opened whether the person has just come into the conversation with us
  private SlackEvent looking(boolean opened) throws Misshapen {
    // Slack's own example names the person nowhere but here.
    var user =
        text(event, "user")
            .or(
                () ->
                    installation.path("is_bot").asBoolean(true)
                        ? Optional.empty()
                        : text(installation, "user_id"));
    return user.isEmpty()
        ? new Ignored(Reason.NOT_ADDRESSED)
        : new SlackEvent.Looking(
            new Glance(
                team(),
                matching(ID, "user", user.get()),
                text(event, "channel").filter(channel -> ID.matcher(channel).matches()),
                opened,
                Seen.read(event.path("context"))));
  }

  private SlackEvent said(MessageEvent.Kind kind) throws Misshapen {
    var foreign = noPersonsMessage(event);
    // A program that speaks to us by name may be one that may.
    if (foreign.isPresent() && !(foreign.get() == Reason.A_BOTS && mentionsUs(event))) {
      return new Ignored(foreign.get());
    }
    var message = message(event, kind);
    if (message.isAside()) {
      return new Ignored(Reason.ASIDE);
    }
    return concernsUs(message) ? new Said(message) : new Ignored(Reason.NOT_ADDRESSED);
  }

  private SlackEvent changed() throws Misshapen {
    var now = event.path("message");
    var before = event.path("previous_message");
    // A thread whose root is deleted keeps a tombstone in its place.
    if (text(now, "subtype").orElse("").equals("tombstone")) {
      return deleted(before);
    }
    var foreign = noPersonsMessage(now);
    if (foreign.isPresent()) {
      return new Ignored(foreign.get());
    }
    if (now.path("text").equals(before.path("text"))
        && now.path("files").equals(before.path("files"))) {
      return new Ignored(Reason.NOTHING_CHANGED);
    }
    var message = message(now, MessageEvent.Kind.MESSAGE);
    return concernsUs(message) || mentionsUs(before)
        ? new Edited(message, text(now.path("edited"), "ts").orElse(message.ts()))
        : new Ignored(Reason.NOT_ADDRESSED);
  }

  private SlackEvent deleted(JsonNode before) throws Misshapen {
    var was = Optional.<MessageEvent>empty();
    if (before.isObject()) {
      var foreign = noPersonsMessage(before);
      if (foreign.isPresent()) {
        return new Ignored(foreign.get());
      }
      var message = message(before, MessageEvent.Kind.MESSAGE);
      if (!concernsUs(message)) {
        return new Ignored(Reason.NOT_ADDRESSED);
      }
      was = Optional.of(message);
    }
    var ts = text(event, "deleted_ts").or(() -> text(before, "ts")).orElse("");
    return new Deleted(team(), channel(), matching(TS, "deleted_ts", ts), was);
  }

  /// Why this is no message that a person wrote to be read.
  private Optional<Reason> noPersonsMessage(JsonNode message) {
    var user = text(message, "user");
    var isOurs =
        user.isPresent() && user.equals(ourUser)
            || text(message, "app_id")
                .filter(text(envelope, "api_app_id").orElse("")::equals)
                .isPresent();
    if (isOurs) {
      return Optional.of(Reason.OUR_OWN);
    }
    if (user.filter(SLACKBOT::equals).isPresent()) {
      return Optional.of(Reason.SLACKBOTS);
    }
    return switch (text(message, "subtype").orElse("")) {
      case "bot_message" -> Optional.of(Reason.A_BOTS);
      case "", "file_share", "thread_broadcast" -> text(message, "bot_id").map(_ -> Reason.A_BOTS);
      default -> Optional.of(Reason.SUBTYPE);
    };
  }

  private MessageEvent message(JsonNode message, MessageEvent.Kind kind) throws Misshapen {
    var threadTs = text(message, "thread_ts");
    return new MessageEvent(
        appId(),
        eventId(),
        kind,
        team(),
        channel(),
        isDirect(),
        matching(TS, "ts", needed(message, "ts")),
        threadTs.isEmpty() ? threadTs : Optional.of(matching(TS, "thread_ts", threadTs.get())),
        matching(ID, "user", author(message)),
        ourUser,
        kind == MessageEvent.Kind.APP_MENTION || mentionsUs(message),
        text(message, "text").orElse(""),
        StreamSupport.stream(message.path("files").spliterator(), false)
            .filter(JsonNode::isObject)
            .map(Attachments::read)
            .toList(),
        isStrangers(message),
        program(message),
        Seen.read(message.path("app_context")));
  }

  /// Not every program has a user.
  private static String author(JsonNode message) throws Misshapen {
    var user = text(message, "user").or(() -> text(message, "bot_id"));
    return user.orElseThrow(() -> new Misshapen("user is missing"));
  }

  private static List<String> program(JsonNode message) {
    var isOne =
        text(message, "bot_id").isPresent()
            || text(message, "subtype").equals(Optional.of("bot_message"));
    return isOne
        ? Stream.of("app_id", "bot_id", "user")
            .flatMap(field -> text(message, field).stream())
            .filter(id -> ID.matcher(id).matches())
            .toList()
        : List.of();
  }

  private boolean isStrangers(JsonNode message) throws Misshapen {
    var home =
        text(message, "user_team")
            .or(() -> text(message, "source_team"))
            .or(() -> text(message, "team"));
    return envelope.path("is_ext_shared_channel").asBoolean()
        && home.isPresent()
        && !home.get().equals(team())
        // Of another workspace of the same organisation, which may be named in its stead.
        && !home.equals(text(envelope, "enterprise_id"))
        && !home.equals(text(installation, "enterprise_id"));
  }

  private static boolean concernsUs(MessageEvent message) {
    return message.direct() || message.mentionsUs() || message.threadTs().isPresent();
  }

  private boolean mentionsUs(JsonNode message) {
    var text = text(message, "text").orElse("");
    return ourUser
        .filter(us -> text.contains("<@" + us + ">") || text.contains("<@" + us + "|"))
        .isPresent();
  }

  private boolean isDirect() throws Misshapen {
    var type = text(event, "channel_type");
    return type.isPresent() ? type.get().equals("im") : channel().startsWith("D");
  }

  private String appId() throws Misshapen {
    return matching(ID, "api_app_id", needed(envelope, "api_app_id"));
  }

  private String eventId() throws Misshapen {
    return matching(ID, "event_id", needed(envelope, "event_id"));
  }

  // In a channel shared with another company `team_id` may be the author's; ours is the
  // installation's.
  private String team() throws Misshapen {
    var team = text(installation, "team_id").or(() -> text(envelope, "team_id"));
    return matching(ID, "team_id", team.orElse(""));
  }

  private String channel() throws Misshapen {
    return matching(ID, "channel", needed(event, "channel"));
  }

  private static Optional<String> text(JsonNode node, String field) {
    var value = node.path(field);
    return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
  }

  private static String needed(JsonNode node, String field) throws Misshapen {
    return text(node, field).orElseThrow(() -> new Misshapen(field + " is missing"));
  }

  private static String matching(Pattern pattern, String field, String value) throws Misshapen {
    if (!pattern.matcher(value).matches()) {
      throw new Misshapen(field + " has not the form it should have");
    }
    return value;
  }

  private static final class Misshapen extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    private final String what;

    Misshapen(String what) {
      super(what);
      this.what = what;
    }
  }
}
