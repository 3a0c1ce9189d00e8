package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The Slack app asks people for what the program uses, and for nothing else.
class ManifestTest {

  private static final Path CODE = Path.of("src", "main", "java");
  private static final Pattern METHOD =
      Pattern.compile(
          "\"((?:agents|apps|assistant|auth|chat|conversations|files|reactions|team|users|views)\\.[A-Za-z.]+)\"");
  private static final Pattern EVENT = Pattern.compile("\n      case \"([a-z_]+)\" ->");
  private static final String HOST_OF_FILES = "files.slack.com";

  /// Several where a conversation's kind decides.
  private static final Map<String, Set<String>> SCOPES =
      Map.ofEntries(
          Map.entry("auth.test", Set.of()),
          // It takes a token of another kind, of the app's own.
          Map.entry("apps.connections.open", Set.of()),
          Map.entry("agents.sessions.rename", Set.of("chat:write")),
          Map.entry("agents.sessions.setStatus", Set.of("chat:write")),
          Map.entry("assistant.threads.setStatus", Set.of("chat:write")),
          Map.entry("assistant.threads.setTitle", Set.of("assistant:write")),
          Map.entry("assistant.threads.setSuggestedPrompts", Set.of("assistant:write")),
          Map.entry("chat.appendStream", Set.of("chat:write")),
          Map.entry("chat.delete", Set.of("chat:write")),
          Map.entry("chat.getPermalink", Set.of()),
          Map.entry("chat.postEphemeral", Set.of("chat:write")),
          Map.entry("chat.postMessage", Set.of("chat:write")),
          Map.entry("chat.startStream", Set.of("chat:write")),
          Map.entry("chat.stopStream", Set.of("chat:write")),
          Map.entry("chat.update", Set.of("chat:write")),
          Map.entry("conversations.history", Set.of("channels:history")),
          Map.entry("conversations.info", Set.of("channels:read", "groups:read")),
          Map.entry("conversations.members", Set.of("channels:read", "groups:read")),
          Map.entry("conversations.leave", Set.of()),
          Map.entry(
              "conversations.replies",
              Set.of("channels:history", "groups:history", "im:history", "mpim:history")),
          Map.entry("files.completeUploadExternal", Set.of("files:write")),
          Map.entry("files.delete", Set.of("files:write")),
          Map.entry("files.getUploadURLExternal", Set.of("files:write")),
          Map.entry("files.info", Set.of("files:read")),
          Map.entry("reactions.add", Set.of("reactions:write")),
          Map.entry("reactions.remove", Set.of("reactions:write")),
          Map.entry("users.conversations", Set.of("channels:read")),
          Map.entry("users.info", Set.of("users:read")),
          Map.entry("views.publish", Set.of()));

  /// What is asked for and not insisted on.
  private static final Map<String, Set<String>> OPTIONAL_SCOPES =
      Map.of("conversations.leave", Set.of("channels:manage", "groups:write"));

  /// What is subscribed to for an event, each with its scope where it needs one.
  private static final Map<String, Map<String, String>> SUBSCRIPTIONS =
      Map.of(
          "app_mention", Map.of("app_mention", "app_mentions:read"),
          "message",
              Map.of(
                  "message.channels", "channels:history",
                  "message.groups", "groups:history",
                  "message.im", "im:history",
                  "message.mpim", "mpim:history"),
          "agent_session_stopped", Map.of("agent_session_stopped", "chat:write"),
          "app_home_opened", Map.of("app_home_opened", ""),
          "app_context_changed", Map.of("app_context_changed", "assistant:write"),
          "reaction_added", Map.of("reaction_added", "reactions:read"),
          "app_uninstalled", Map.of("app_uninstalled", ""),
          "tokens_revoked", Map.of("tokens_revoked", ""));

  @Test
  void it_asks_for_the_scopes_that_are_used() throws IOException {
    // A slash command and a shortcut have one of their own.
    var needed = new TreeSet<>(Set.of("commands"));
    for (var method : methods()) {
      assertTrue(
          SCOPES.containsKey(method), () -> "It is not written here what " + method + " needs");
      needed.addAll(SCOPES.getOrDefault(method, Set.of()));
    }
    for (var event : events()) {
      needed.addAll(SUBSCRIPTIONS.getOrDefault(event, Map.of()).values());
    }
    needed.remove("");

    assertEquals(List.copyOf(needed), list("bot"));
  }

  @Test
  void it_insists_on_no_scope_without_which_it_works() throws IOException {
    var optional = new TreeSet<String>();
    for (var method : methods()) {
      optional.addAll(OPTIONAL_SCOPES.getOrDefault(method, Set.of()));
    }

    assertEquals(List.copyOf(optional), list("bot_optional"));
  }

  @Test
  void whoever_comes_is_offered_the_same_before_and_after_we_have_heard_of_it() throws IOException {
    var offered = new StringBuilder("    suggested_prompts:\n");
    for (var starter : Starters.USUAL) {
      var message = starter.message();
      offered
          .append("      - title: ")
          .append(starter.title())
          .append("\n        message: ")
          .append(message.contains(": ") ? '"' + message + '"' : message)
          .append('\n');
    }

    assertTrue(manifest().contains(offered), offered.toString());
    assertTrue(Starters.USUAL.size() < 4, "one more may come before them, and Slack shows four");
  }

  @Test
  void it_subscribes_to_the_events_that_are_understood() throws IOException {
    var needed = new TreeSet<String>();
    for (var event : events()) {
      assertTrue(SUBSCRIPTIONS.containsKey(event), () -> "Nothing is written here of " + event);
      needed.addAll(SUBSCRIPTIONS.getOrDefault(event, Map.of()).keySet());
    }

    assertEquals(List.copyOf(needed), list("bot_events"));
  }

  @Test
  void a_workspace_that_lets_the_app_in_is_asked_for_the_same() throws IOException {
    assertEquals(list("bot"), Consent.SCOPES);
  }

  @Test
  void its_shortcut_is_the_one_that_is_understood() throws IOException {
    assertTrue(manifest().contains("      callback_id: " + Click.CONTINUE + "\n"));
  }

  @Test
  void what_it_says_of_itself_is_as_long_as_slack_wants_it() throws IOException {
    var description = manifest().split("long_description: >-\n")[1].split("\n {2}\\w")[0];
    var length = description.replaceAll("\\s+", " ").strip().length();

    assertTrue(length >= 174 && length <= 4_000, () -> length + " characters");
  }

  private static Set<String> methods() throws IOException {
    try (var files = Files.walk(CODE)) {
      var found = new TreeSet<String>();
      for (var file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        METHOD.matcher(Files.readString(file)).results().forEach(it -> found.add(it.group(1)));
      }
      found.remove(HOST_OF_FILES);
      return found;
    }
  }

  private static Set<String> events() throws IOException {
    var reader = Files.readString(CODE.resolve("dev/gorkie/slack/EventReader.java"));
    var cases = reader.split("SlackEvent event\\(\\)")[1].split("\n  }\n")[0];
    return EVENT
        .matcher(cases)
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// The entries of a list in the manifest, which is kept in order.
  private static List<String> list(String name) throws IOException {
    return manifest()
        .lines()
        .dropWhile(line -> !line.strip().equals(name + ":"))
        .skip(1)
        .takeWhile(line -> line.strip().startsWith("- "))
        .map(line -> line.strip().substring(2))
        .toList();
  }

  private static String manifest() throws IOException {
    return Files.readString(Path.of("deploy", "slack-manifest.yaml"));
  }
}
