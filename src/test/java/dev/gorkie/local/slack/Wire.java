package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The shapes things have on Slack's wire. Called under the workspace's lock.
final class Wire {
  // What a JDK does not know by name, or knows differently on different machines.
  private static final Map<String, String> MIME_TYPES =
      Map.of(
          "md",
          "text/markdown",
          "csv",
          "text/csv",
          "json",
          "application/json",
          "txt",
          "text/plain");
  private final Workspace workspace;
  private final URI base;

  Wire(Workspace workspace, URI base) {
    this.workspace = workspace;
    this.base = base;
  }

  JsonObject message(Message message) {
    var json = new JsonObject().put("type", "message");
    if (message.tombstone) {
      json.put("subtype", "tombstone").put("hidden", true).put("user", "USLACKBOT");
    } else {
      if (!message.files.isEmpty()) {
        json.put("subtype", "file_share").put("upload", false);
      }
      json.put("user", message.author.id());
    }
    json.put("ts", message.ts).put("team", workspace.team()).put("text", message.text);
    if (message.author.bot()) {
      if (isOurs(message.author)) {
        json.put("bot_id", Workspace.BOT_ID)
            .put("app_id", Workspace.APP)
            .put("bot_profile", botProfile());
      } else {
        json.put("bot_id", "B" + message.author.id().substring(1)).put("app_id", "A0OTHERAPP");
      }
    } else if (!message.tombstone) {
      json.put("client_msg_id", clientId(message));
      if (workspace.isShared(message.channel)) {
        var home = workspace.home(message.author);
        json.put("user_team", home).put("source_team", home);
      }
    }
    if (!message.blocks.isEmpty()) {
      json.put("blocks", message.blocks.copy());
    }
    if (!message.files.isEmpty()) {
      json.put("files", new JsonArray(message.files.stream().map(this::file).toList()));
    }
    message.editedTs.ifPresent(
        ts -> json.put("edited", new JsonObject().put("user", message.author.id()).put("ts", ts)));
    message.threadTs.ifPresent(
        root -> {
          json.put("thread_ts", root);
          workspace
              .message(message.channel, root)
              .ifPresent(one -> json.put("parent_user_id", one.author.id()));
        });
    if (!message.reactions.isEmpty()) {
      json.put("reactions", reactions(message));
    }
    addReplies(message, json);
    return json;
  }

  private static boolean isOurs(Person bot) {
    return bot.id().equals(Workspace.APP_USER.id());
  }

  private static String clientId(Message message) {
    return java.util
        .UUID
        .nameUUIDFromBytes((message.channel.id() + message.ts).getBytes(StandardCharsets.UTF_8))
        .toString();
  }

  private void addReplies(Message message, JsonObject json) {
    if (message.isReply()) {
      return;
    }
    var replies = workspace.replies(message);
    if (!replies.isEmpty()) {
      var writers = replies.stream().map(reply -> reply.author.id()).distinct().toList();
      json.put("thread_ts", message.ts)
          .put("reply_count", replies.size())
          .put("reply_users_count", writers.size())
          .put("reply_users", new JsonArray(writers))
          .put("latest_reply", replies.getLast().ts)
          .put("is_locked", false)
          .put("subscribed", true);
    }
  }

  static JsonArray reactions(Message message) {
    var all = new JsonArray();
    message.reactions.forEach(
        (name, who) ->
            all.add(
                new JsonObject()
                    .put("name", name)
                    .put("users", new JsonArray(List.copyOf(who)))
                    .put("count", who.size())));
    return all;
  }

  JsonObject botProfile() {
    return new JsonObject()
        .put("id", Workspace.BOT_ID)
        .put("app_id", Workspace.APP)
        .put("user_id", Workspace.APP_USER.id())
        .put("name", Workspace.APP_USER.realName())
        .put("deleted", false)
        .put("updated", 1_700_000_000)
        .put("team_id", workspace.team());
  }

  /// Where the page shows a message.
  String link(Channel channel, Message message) {
    var at = base + "archives/" + channel.id() + "/p" + message.ts.replace(".", "");
    return message.isReply() ? at + "?thread_ts=" + message.rootTs() : at;
  }

  JsonObject file(StoredFile file) {
    if (file.foreign) {
      return new JsonObject().put("id", file.id).put("file_access", "check_file_info");
    }
    return wholeFile(file);
  }

  JsonObject wholeFile(StoredFile file) {
    var path = workspace.team() + "-" + file.id + "/";
    var name = URLEncoder.encode(file.name, StandardCharsets.UTF_8).replace("+", "%20");
    var created =
        file.shares.stream()
            .findFirst()
            .map(share -> Stamps.instant(share.ts()).getEpochSecond())
            .orElse(0L);
    var json =
        new JsonObject()
            .put("id", file.id)
            .put("created", created)
            .put("timestamp", created)
            .put("name", file.name)
            .put("title", file.title)
            .put("mimetype", mimeType(file.name))
            .put("filetype", extension(file.name).orElse("binary"))
            .put(
                "pretty_type",
                extension(file.name).map(it -> it.toUpperCase(Locale.ROOT)).orElse("Binary"))
            .put("user", file.owner.id())
            .put("user_team", workspace.team())
            .put("editable", false)
            .put("size", file.length)
            .put("mode", "hosted")
            .put("is_external", false)
            .put("external_type", "")
            .put("is_public", true)
            .put("public_url_shared", false)
            .put("display_as_bot", false)
            .put("username", "")
            .put("url_private", base + "files-pri/" + path + name)
            .put("url_private_download", base + "files-pri/" + path + "download/" + name)
            .put("permalink", base + "files/" + file.owner.id() + "/" + file.id + "/" + name)
            .put("has_rich_preview", false)
            .put("file_access", "visible");
    return addShares(file, json);
  }

  private static JsonObject addShares(StoredFile file, JsonObject json) {
    var open = new JsonObject();
    var closed = new JsonObject();
    for (var share : file.shares) {
      var places = share.channel().kind() == Channel.Kind.PUBLIC ? open : closed;
      var here = places.getJsonArray(share.channel().id(), new JsonArray());
      places.put(share.channel().id(), here.add(share.json()));
    }
    var shares = new JsonObject();
    if (!open.isEmpty()) {
      shares.put("public", open);
    }
    if (!closed.isEmpty()) {
      shares.put("private", closed);
    }
    return json.put("shares", shares)
        .put("channels", idsOf(file, Channel.Kind.PUBLIC))
        .put("groups", idsOf(file, Channel.Kind.PRIVATE))
        .put("ims", idsOf(file, Channel.Kind.DIRECT));
  }

  private static JsonArray idsOf(StoredFile file, Channel.Kind kind) {
    return new JsonArray(
        file.shares.stream()
            .map(StoredFile.Share::channel)
            .filter(channel -> channel.kind() == kind)
            .map(Channel::id)
            .distinct()
            .toList());
  }

  static String mimeType(String name) {
    var known = extension(name).map(MIME_TYPES::get);
    return known
        .or(() -> Optional.ofNullable(URLConnection.guessContentTypeFromName(name)))
        .orElse("application/octet-stream");
  }

  private static Optional<String> extension(String name) {
    var point = name.lastIndexOf('.');
    return point < 0
        ? Optional.empty()
        : Optional.of(name.substring(point + 1).toLowerCase(Locale.ROOT));
  }

  JsonObject person(Person person) {
    return new JsonObject()
        .put("id", person.id())
        .put("team_id", workspace.home(person))
        .put("name", person.name())
        .put("deleted", workspace.isGone(person))
        .put("real_name", person.realName())
        .put("tz", "Europe/London")
        .put("tz_label", "Greenwich Mean Time")
        .put("tz_offset", 0)
        .put(
            "profile",
            new JsonObject()
                .put("real_name", person.realName())
                .put("display_name", person.name())
                .put("real_name_normalized", person.realName())
                .put("display_name_normalized", person.name())
                .put("team", workspace.team()))
        .put("is_admin", workspace.isAdmin(person))
        .put("is_owner", false)
        .put("is_restricted", person.guest())
        .put("is_ultra_restricted", false)
        .put("is_bot", person.bot())
        .put("is_stranger", !workspace.home(person).equals(workspace.team()))
        .put("is_app_user", false)
        .put("updated", 1_700_000_000);
  }

  JsonObject channel(Channel channel) {
    var json =
        new JsonObject()
            .put("id", channel.id())
            .put("is_channel", channel.kind() == Channel.Kind.PUBLIC)
            .put("is_group", channel.kind() == Channel.Kind.PRIVATE)
            .put("is_im", channel.direct())
            .put("is_mpim", channel.kind() == Channel.Kind.GROUP_DIRECT)
            .put("is_private", channel.kind() != Channel.Kind.PUBLIC)
            .put("created", 1_700_000_000)
            .put("is_archived", false)
            .put("is_org_shared", false)
            .put("context_team_id", workspace.team());
    if (channel.direct()) {
      return json.put("user", counterpart(channel)).put("is_user_deleted", false);
    }
    return json.put("name", channel.name())
        .put("name_normalized", channel.name())
        .put("is_general", channel.name().equals("general"))
        .put("is_shared", workspace.isShared(channel))
        .put("is_ext_shared", workspace.isShared(channel))
        .put("is_member", channel.members().contains(Workspace.APP_USER.id()))
        .put("creator", Workspace.APP_USER.id())
        .put("topic", new JsonObject().put("value", "").put("creator", "").put("last_set", 0))
        .put("purpose", new JsonObject().put("value", "").put("creator", "").put("last_set", 0))
        .put("num_members", channel.members().size());
  }

  private static String counterpart(Channel direct) {
    return direct.members().stream()
        .filter(id -> !id.equals(Workspace.APP_USER.id()))
        .findFirst()
        .orElse("");
  }
}
