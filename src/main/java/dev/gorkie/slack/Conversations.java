package dev.gorkie.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.google.gson.JsonElement;
import dev.gorkie.Failure;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Reads what was written where we are, and does in a thread what is said with no words.
///
/// @throws Failure from each method, where Slack did not do it
@ApplicationScoped
public class Conversations {

  private static final ObjectReader JSON = new ObjectMapper().reader();
  private static final int PAGES_MAX = 10;
  private static final int PAGE_MAX = 200;
  private static final int MEMBERS_PAGE_MAX = 1_000;
  // A line in Slack's list of conversations; Slack itself takes 200.
  private static final int TITLE_CHARACTERS_MAX = 100;

  private final SlackApi api;

  Conversations(SlackApi api) {
    this.api = api;
  }

  /// A message as it stands somewhere.
  ///
  /// @param author the person's id; empty for a program
  public record Written(String ts, Optional<String> author, String text, List<Attachment> files) {}

  /// @param open whether everybody of the workspace may read it
  /// @param shared whether people of other companies are in it
  public record Place(String id, String name, boolean open, boolean member, boolean shared) {}

  /// The latest messages of a thread, the oldest first.
  ///
  /// @param oldest before this and at this nothing is of interest
  /// @param latest behind this and at this nothing is of interest
  public List<Written> thread(
      String team,
      String channel,
      String root,
      Optional<String> oldest,
      Optional<String> latest,
      int most) {
    return new Latest(
            form -> ok(team, "conversations.replies", form, Wire.Originals.class),
            channel,
            root,
            oldest,
            latest)
        .messages(most);
  }

  /// The latest messages of a channel that are in no thread, the oldest first.
  public List<Written> channel(String team, String channel, int most) {
    var form = Map.of("channel", channel, "limit", Integer.toString(Math.min(most, PAGE_MAX)));
    return read(ok(team, "conversations.history", form, Wire.Originals.class).messages).reversed();
  }

  public Optional<Place> place(String team, String channel) {
    return switch (api.call(
        team, "conversations.info", Map.of("channel", channel), Wire.ChannelInfo.class)) {
      case Ok<Wire.ChannelInfo>(var info) -> Optional.ofNullable(info.channel).map(this::place);
      case Refused<Wire.ChannelInfo>(var error) when error.equals("channel_not_found") ->
          Optional.empty();
      case Result<Wire.ChannelInfo> failed -> throw failure("conversations.info", failed);
    };
  }

  /// Whether a person can read what we say in a channel. Where we may not ask, as in a group's direct messages, everybody can.
  public boolean isReadBy(String team, String channel, String user) {
    try {
      var place = place(team, channel);
      return place.filter(Place::member).isPresent()
          && (place.get().open() || isMember(team, channel, user));
    } catch (Failure failure) {
      if (failure.code() == SlackFailure.NOT_ALLOWED) {
        return true;
      }
      if (failure.code() == SlackFailure.NO_PLACE) {
        return false;
      }
      throw failure;
    }
  }

  /// In a channel that has more people than we read of everybody is.
  private boolean isMember(String team, String channel, String user) {
    var members = members(team, channel);
    return members.users().contains(user) || !members.all();
  }

  /// A public channel of that name in which we are.
  public Optional<Place> publicPlace(String team, String name) {
    var form = new LinkedHashMap<String, String>();
    // A token of a whole organisation must say which of its workspaces is meant.
    form.put("team_id", team);
    form.put("types", "public_channel");
    form.put("exclude_archived", "true");
    form.put("limit", Integer.toString(PAGE_MAX));
    for (var page = 0; page < PAGES_MAX; page++) {
      var ours = ok(team, "users.conversations", form, Wire.Channels.class);
      var found =
          ours.channels == null
              ? Optional.<Wire.Channel>empty()
              : ours.channels.stream().filter(one -> name.equals(one.name)).findFirst();
      if (found.isPresent() && found.get().id != null) {
        return place(team, found.get().id);
      }
      var cursor = cursor(ours.responseMetadata);
      if (cursor.isEmpty()) {
        break;
      }
      form.put("cursor", cursor);
    }
    return Optional.empty();
  }

  /// Who is in a channel.
  ///
  /// @param all whether there is nobody else
  public record Members(Set<String> users, boolean all) {}

  /// As far as one looks: ten thousand of them.
  public Members members(String team, String channel) {
    var users = new HashSet<String>();
    var form = new LinkedHashMap<String, String>();
    form.put("channel", channel);
    form.put("limit", Integer.toString(MEMBERS_PAGE_MAX));
    for (var page = 0; page < PAGES_MAX; page++) {
      var some = ok(team, "conversations.members", form, Wire.Members.class);
      if (some.members != null) {
        users.addAll(some.members);
      }
      var cursor = cursor(some.responseMetadata);
      if (cursor.isEmpty()) {
        return new Members(Set.copyOf(users), true);
      }
      form.put("cursor", cursor);
    }
    return new Members(Set.copyOf(users), false);
  }

  /// An emoji of ours under a message, if it is not there.
  public void react(String team, String channel, String ts, String emoji) {
    var form = Map.of("channel", channel, "timestamp", ts, "name", emoji);
    var result = api.call(team, "reactions.add", form, Wire.Answer.class);
    if (!result.equals(new Refused<Wire.Answer>("already_reacted"))
        && !(result instanceof Ok<Wire.Answer>)) {
      throw failure("reactions.add", result);
    }
  }

  /// How it went to leave a channel.
  public enum Leaving {
    LEFT,
    /// We are not in it.
    NOT_THERE,
    /// Slack did not let us.
    NOT_ALLOWED
  }

  /// Whoever wants us back has to invite us.
  public Leaving leave(String team, String channel) {
    var form = Map.of("channel", channel);
    return switch (api.call(team, "conversations.leave", form, Wire.Left.class)) {
      case Ok<Wire.Left>(var left) -> left.notInChannel ? Leaving.NOT_THERE : Leaving.LEFT;
      case Refused<Wire.Left>(var error) ->
          error.equals("not_in_channel") || error.equals("channel_not_found")
              ? Leaving.NOT_THERE
              : Leaving.NOT_ALLOWED;
      case Result<Wire.Left> failed -> throw failure("conversations.leave", failed);
    };
  }

  /// Where a browser finds a message; empty while Slack does not tell.
  public Optional<URI> link(String team, String channel, String ts) {
    var form = Map.of("channel", channel, "message_ts", ts);
    return api.call(team, "chat.getPermalink", form, Wire.Permalink.class)
            instanceof Ok<Wire.Permalink>(var found)
        ? Optional.ofNullable(found.permalink).map(URI::create)
        : Optional.empty();
  }

  /// Where the session shows it, else where the older view does. False when there is nothing in it that can be seen.
  public boolean title(String team, String channel, String root, String title) {
    var line = SafeText.line(title, TITLE_CHARACTERS_MAX);
    if (!SafeText.isSeen(line)) {
      return false;
    }
    var form = Map.of("channel_id", channel, "thread_ts", root, "title", line);
    if (api.call(team, "agents.sessions.rename", form, Wire.Answer.class)
        instanceof Ok<Wire.Answer>) {
      return true;
    }
    ok(team, "assistant.threads.setTitle", form, Wire.Answer.class);
    return true;
  }

  /// A file, and the channels in which it was shown.
  public Optional<Shown> file(String team, String id) {
    return switch (api.call(team, "files.info", Map.of("file", id), Wire.FileInfo.class)) {
      case Ok<Wire.FileInfo>(var info) -> Optional.ofNullable(info.file).map(Conversations::shown);
      case Refused<Wire.FileInfo>(var error)
          when error.equals("file_not_found") || error.equals("file_deleted") ->
          Optional.empty();
      case Result<Wire.FileInfo> failed -> throw failure("files.info", failed);
    };
  }

  public record Shown(Attachment file, List<String> channels) {}

  private static Shown shown(JsonElement element) {
    var json = json(element);
    var channels = new ArrayList<String>();
    json.path("shares").forEach(kind -> kind.fieldNames().forEachRemaining(channels::add));
    for (var list : List.of("channels", "groups", "ims")) {
      json.path(list).forEach(channel -> channels.add(channel.asText()));
    }
    return new Shown(Attachments.read(json), List.copyOf(channels));
  }

  private Place place(Wire.Channel channel) {
    return new Place(
        channel.id == null ? "" : channel.id,
        channel.name == null ? "" : channel.name,
        channel.isChannel && !channel.isPrivate && !channel.isIm && !channel.isMpim,
        channel.isMember,
        channel.isExtShared || channel.isPendingExtShared);
  }

  static List<Written> read(@Nullable List<JsonElement> messages) {
    return messages == null
        ? List.of()
        : messages.stream().map(Conversations::json).map(Conversations::written).toList();
  }

  private static Written written(JsonNode json) {
    var isPersons = json.path("bot_id").isMissingNode() && json.path("user").isTextual();
    return new Written(
        json.path("ts").asText(),
        isPersons ? Optional.of(json.path("user").asText()) : Optional.empty(),
        json.path("text").asText(),
        StreamSupport.stream(json.path("files").spliterator(), false)
            .filter(JsonNode::isObject)
            .map(Attachments::read)
            .toList());
  }

  static JsonNode json(JsonElement element) {
    try {
      return JSON.readTree(element.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What one parser wrote the other reads", e);
    }
  }

  static String cursor(Wire.@Nullable Paging paging) {
    return paging == null || paging.nextCursor == null ? "" : paging.nextCursor;
  }

  private <T extends Wire.Answer> T ok(
      String team, String method, Map<String, String> form, Class<T> type) {
    return switch (api.call(team, method, form, type)) {
      case Ok<T>(var answer) -> answer;
      case Result<T> failed -> throw failure(method, failed);
    };
  }

  private static Failure failure(String method, Result<?> failed) {
    return switch (failed) {
      case Refused<?>(var error) -> new Failure(SlackFailure.of(error), method + ": " + error);
      case Later<?>(var pause) -> new Failure(SlackFailure.BUSY, method + " wants " + pause);
      case Lost<?>(var why) -> new Failure(SlackFailure.UNREACHABLE, why);
      case Ok<?> _ -> throw new IllegalStateException(method + " did not fail");
    };
  }
}
