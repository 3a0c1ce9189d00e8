package dev.gorkie.policy;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.slack.SlackEvent;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WantedTest {

  private static final Path DELIVERIES = Path.of("src/test/resources/slack");

  @ParameterizedTest
  @CsvSource({
    "app-mention, MENTION, START",
    "mention-as-message, MENTION, START",
    "direct-message, DIRECT, START",
    "reply-in-thread, THREAD_REPLY, START",
    "message-changed, EDIT, START",
    "message-deleted, DELETION, WITHDRAW"
  })
  void each_delivery_says_how_it_came_and_what_is_wanted(String name, Way way, Act act)
      throws IOException {
    var wanted = Wanted.by(read(name)).orElseThrow();

    assertEquals(way, wanted.way());
    assertEquals(act, wanted.act());
  }

  @Test
  void whatever_somebody_does_has_a_row_in_the_tables() throws IOException {
    var ways = new HashSet<Way>();
    try (var files = Files.list(DELIVERIES)) {
      for (var file : files.toList()) {
        Wanted.by(SlackEvent.read(Files.readAllBytes(file))).map(Wanted::way).ifPresent(ways::add);
      }
    }

    assertTrue(Set.of(Way.values()).containsAll(ways));
    assertTrue(ways.size() >= 5, ways.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "gorkie_stop, STOP_BUTTON, STOP",
    "gorkie_allow, BUTTON, APPROVE",
    "gorkie_refuse, BUTTON, APPROVE",
    "gorkie_stop_job, BUTTON, STOP",
    "gorkie_cancel_task, BUTTON, STOP"
  })
  void each_click_under_a_message_says_what_is_wanted(String action, Way way, Act act) {
    var json =
        """
        {"type":"block_actions","api_app_id":"A1","team":{"id":"T1"},"user":{"id":"U1"},"channel":{"id":"C1"},
         "message":{"ts":"1.1"},"actions":[{"action_id":"%s","action_ts":"1.2","value":"ask-1-2"}]}
        """
            .formatted(action);

    var wanted = clicked(json);

    assertEquals(way, wanted.way());
    assertEquals(act, wanted.act());
    assertEquals("C1", wanted.where().channel());
  }

  @ParameterizedTest
  @CsvSource({"gorkie_save, CHOOSE", "gorkie_stop_job, STOP", "gorkie_cancel_task, STOP"})
  void each_click_on_our_page_says_what_is_wanted(String action, Act act) {
    var json =
        """
        {"type":"block_actions","api_app_id":"A1","team":{"id":"T1"},"user":{"id":"U1"},"view":{"type":"home"},
         "actions":[{"action_id":"%s","action_ts":"1.2","value":"job-1"}]}
        """
            .formatted(action);

    var wanted = clicked(json);

    assertEquals(Way.HOME, wanted.way());
    assertEquals(act, wanted.act());
    assertTrue(wanted.way().leadsTo(wanted.act()));
  }

  /// What is sealed the compiler asks for; what it became is written down here, for people to read.
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("Said", "somebody's"),
          Map.entry("Edited", "somebody's"),
          Map.entry("Deleted", "somebody's, where Slack tells whose"),
          Map.entry("Decided", "somebody's"),
          Map.entry("Chosen", "somebody's"),
          Map.entry("Stopping", "somebody's"),
          Map.entry("Slashed", "somebody's"),
          Map.entry("Visited", "somebody's"),
          Map.entry("Looking", "somebody's"),
          Map.entry("Joining", "nobody's: Slack's own page has asked whoever lets us in"),
          Map.entry("UrlVerification", "nobody's: nothing is done"),
          Map.entry("Ignored", "nobody's: nothing is done"),
          Map.entry("Unknown", "nobody's: nothing is done"),
          Map.entry("Malformed", "nobody's: nothing is done"));

  @Test
  void every_kind_of_event_says_whose_wish_it_is() {
    assertEquals(
        KINDS.keySet(),
        Arrays.stream(SlackEvent.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(toSet()));
  }

  private static Wanted clicked(String json) {
    var form = "payload=" + URLEncoder.encode(json, StandardCharsets.UTF_8);
    return Wanted.by(SlackEvent.read(form.getBytes(StandardCharsets.UTF_8))).orElseThrow();
  }

  private static SlackEvent read(String name) throws IOException {
    return SlackEvent.read(Files.readAllBytes(DELIVERIES.resolve(name + ".json")));
  }
}
