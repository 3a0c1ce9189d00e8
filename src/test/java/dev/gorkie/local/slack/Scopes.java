package dev.gorkie.local.slack;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the app was allowed when it was installed: all that some method wants, until it is taken away.
final class Scopes {

  private static final Map<String, String> NEEDED =
      Map.ofEntries(
          Map.entry("chat.postMessage", "chat:write"),
          Map.entry("chat.postEphemeral", "chat:write"),
          Map.entry("chat.update", "chat:write"),
          Map.entry("chat.delete", "chat:write"),
          Map.entry("chat.startStream", "chat:write"),
          Map.entry("chat.appendStream", "chat:write"),
          Map.entry("chat.stopStream", "chat:write"),
          Map.entry("agents.sessions.setStatus", "chat:write"),
          Map.entry("agents.sessions.rename", "chat:write"),
          Map.entry("assistant.threads.setStatus", "chat:write"),
          Map.entry("assistant.threads.setTitle", "assistant:write"),
          Map.entry("assistant.threads.setSuggestedPrompts", "assistant:write"),
          Map.entry("conversations.open", "im:write"),
          Map.entry("files.getUploadURLExternal", "files:write"),
          Map.entry("files.completeUploadExternal", "files:write"),
          Map.entry("files.delete", "files:write"),
          Map.entry("files.info", "files:read"),
          Map.entry("reactions.add", "reactions:write"),
          Map.entry("reactions.remove", "reactions:write"),
          Map.entry("reactions.get", "reactions:read"),
          Map.entry("team.info", "team:read"),
          Map.entry("users.info", "users:read"));

  // Of these each sort of place has its own.
  private static final Map<String, String> BY_PLACE =
      Map.of(
          "conversations.replies", "history",
          "conversations.history", "history",
          "conversations.info", "read",
          "conversations.members", "read",
          "conversations.leave", "manage");
  private static final List<String> PLACES = List.of("channels", "groups", "im", "mpim");

  private final Workspace workspace;
  private final Set<String> taken = new HashSet<>();

  Scopes(Workspace workspace) {
    this.workspace = workspace;
  }

  synchronized void take(String scope) {
    if (!all().contains(scope)) {
      throw new IllegalArgumentException("No method here needs " + scope);
    }
    taken.add(scope);
  }

  synchronized void giveBack() {
    taken.clear();
  }

  /// The scope that is missing for a call.
  synchronized Optional<String> missing(Call call) {
    return needed(call).filter(taken::contains);
  }

  private Optional<String> needed(Call call) {
    var right = BY_PLACE.get(call.method());
    return right == null
        ? Optional.ofNullable(NEEDED.get(call.method()))
        : call.text("channel").flatMap(workspace::channel).map(it -> scope(place(it), right));
  }

  /// To manage is called so in public channels alone.
  private static String scope(String place, String right) {
    return place + ":" + (right.equals("manage") && !place.equals("channels") ? "write" : right);
  }

  private static String place(Channel channel) {
    return switch (channel.kind()) {
      case PUBLIC -> "channels";
      case PRIVATE -> "groups";
      case DIRECT -> "im";
      case GROUP_DIRECT -> "mpim";
    };
  }

  synchronized String provided() {
    var left = new TreeSet<>(all());
    left.removeAll(taken);
    return String.join(",", left);
  }

  private static Set<String> all() {
    return Stream.concat(
            NEEDED.values().stream(),
            PLACES.stream()
                .flatMap(
                    place ->
                        Stream.of(place + ":history", place + ":read", scope(place, "manage"))))
        .collect(Collectors.toSet());
  }
}
