package dev.gorkie.slack;

import com.google.gson.JsonElement;
import com.slack.api.methods.SlackApiTextResponse;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Slack's answers, with only what is read of them.
///
/// They are filled by reflection, so each is registered for the native image, and nothing of the SDK's own model
/// has to be.
final class Wire {

  private Wire() {}

  /// What every answer has; all there is to most.
  @RegisterForReflection
  static class Answer implements SlackApiTextResponse {
    private boolean ok;
    private @Nullable String warning;
    private @Nullable String error;
    private @Nullable String needed;
    private @Nullable String provided;
    private transient Map<String, List<String>> httpResponseHeaders = Map.of();

    @Override
    public boolean isOk() {
      return ok;
    }

    @Override
    public void setOk(boolean ok) {
      this.ok = ok;
    }

    @Override
    public @Nullable String getWarning() {
      return warning;
    }

    @Override
    public void setWarning(@Nullable String warning) {
      this.warning = warning;
    }

    @Override
    public @Nullable String getError() {
      return error;
    }

    @Override
    public void setError(@Nullable String error) {
      this.error = error;
    }

    @Override
    public @Nullable String getNeeded() {
      return needed;
    }

    @Override
    public void setNeeded(@Nullable String needed) {
      this.needed = needed;
    }

    @Override
    public @Nullable String getProvided() {
      return provided;
    }

    @Override
    public void setProvided(@Nullable String provided) {
      this.provided = provided;
    }

    @Override
    public Map<String, List<String>> getHttpResponseHeaders() {
      return httpResponseHeaders;
    }

    @Override
    public void setHttpResponseHeaders(Map<String, List<String>> headers) {
      httpResponseHeaders = headers;
    }
  }

  /// `chat.postMessage`, `chat.update`, `chat.startStream`.
  @RegisterForReflection
  static final class Posted extends Answer {
    @Nullable String ts;
  }

  /// `auth.test`.
  @RegisterForReflection
  static final class Self extends Answer {
    @Nullable String botId;
  }

  /// `conversations.replies`.
  @RegisterForReflection
  static final class Replies extends Answer {
    @Nullable List<Message> messages;
    @Nullable Paging responseMetadata;
  }

  /// `conversations.replies`, where a message is read like one in an event.
  @RegisterForReflection
  static final class Originals extends Answer {
    @Nullable List<JsonElement> messages;
    @Nullable Paging responseMetadata;
  }

  @RegisterForReflection
  static final class Paging {
    @Nullable String nextCursor;
  }

  @RegisterForReflection
  static final class Message {
    @Nullable String ts;
    @Nullable String botId;
    @Nullable String text;
    @Nullable Metadata metadata;
    @Nullable JsonElement files;
  }

  // Other apps put into their payloads what they like.
  @RegisterForReflection
  static final class Metadata {
    @Nullable String eventType;
    @Nullable JsonElement eventPayload;
  }

  /// `files.getUploadURLExternal`.
  @RegisterForReflection
  static final class Upload extends Answer {
    @Nullable String uploadUrl;
    @Nullable String fileId;
  }

  /// `files.info`. The file itself is read like one in an event.
  @RegisterForReflection
  static final class FileInfo extends Answer {
    @Nullable JsonElement file;
  }

  /// `conversations.info`.
  @RegisterForReflection
  static final class ChannelInfo extends Answer {
    @Nullable Channel channel;
  }

  /// `apps.connections.open`.
  @RegisterForReflection
  static final class Opened extends Answer {
    String url = "";
  }

  /// `chat.getPermalink`.
  @RegisterForReflection
  static final class Permalink extends Answer {
    @Nullable String permalink;
  }

  /// `conversations.leave`.
  @RegisterForReflection
  static final class Left extends Answer {
    boolean notInChannel;
  }

  /// `conversations.members`.
  @RegisterForReflection
  static final class Members extends Answer {
    @Nullable List<String> members;
    @Nullable Paging responseMetadata;
  }

  /// `users.conversations`.
  @RegisterForReflection
  static final class Channels extends Answer {
    @Nullable List<Channel> channels;
    @Nullable Paging responseMetadata;
  }

  @RegisterForReflection
  static final class Channel {
    @Nullable String id;
    @Nullable String name;
    boolean isChannel;
    boolean isPrivate;
    boolean isIm;
    boolean isMpim;
    boolean isMember;
    boolean isExtShared;
    boolean isPendingExtShared;
  }

  /// `oauth.v2.access`.
  @RegisterForReflection
  static final class Access extends Answer {
    @Nullable String accessToken;
    @Nullable String refreshToken;
    long expiresIn;
    @Nullable String botUserId;
    @Nullable String appId;
    @Nullable Named team;
    @Nullable Named enterprise;
    boolean isEnterpriseInstall;
    @Nullable Named authedUser;
  }

  /// A workspace, an organisation or a person.
  @RegisterForReflection
  static final class Named {
    @Nullable String id;
  }

  /// `users.info`.
  @RegisterForReflection
  static final class UserInfo extends Answer {
    @Nullable User user;
  }

  @RegisterForReflection
  static final class User {
    @Nullable String name;
    @Nullable String realName;
    @Nullable String teamId;
    @Nullable String tz;
    boolean deleted;
    boolean isBot;
    boolean isAdmin;
    boolean isOwner;
    boolean isPrimaryOwner;
    boolean isRestricted;
    boolean isUltraRestricted;
    boolean isStranger;
    @Nullable Profile profile;
  }

  @RegisterForReflection
  static final class Profile {
    @Nullable String displayName;
    @Nullable String realName;
    @Nullable String title;
  }
}
