package dev.gorkie.inbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.attack.Attack;
import dev.gorkie.slack.SlackEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The same deliveries again and again, and those of workspaces whose ids are the same.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class ReplayTest {

  private static final int AT_ONCE = 8;
  // How often each is sent: by Slack four times at the most, by whoever has recorded it more often.
  private static final int TIMES = 20;

  private static final int PERSONS_MOST = 10;

  @Inject Inbox inbox;

  @Test
  void what_is_replayed_within_the_window_begins_nothing_a_second_time() throws Exception {
    var cases = Attack.cases(400, 10_000);
    var deliveries = new ArrayList<byte[]>();
    for (var message = 0; message < cases / TIMES; message++) {
      var json = delivery("TREPLAY", message, "hello " + message);
      for (var times = 0; times < TIMES; times++) {
        deliveries.add(json);
      }
    }
    Collections.shuffle(deliveries, new Random(Attack.seed()));

    var waiting = acceptAll(deliveries);

    var through = waiting == cases / TIMES ? List.of() : List.of(waiting + " messages wait");
    Attack.of("S2", "replayed requests").withstood(cases, through);
  }

  @Test
  void workspaces_with_the_same_ids_do_not_meet() throws Exception {
    var cases = Attack.cases(200, 10_000);
    var teams = List.of("TSAMEA", "TSAMEB");
    var deliveries = new ArrayList<byte[]>();
    for (var message = 0; message < cases / teams.size(); message++) {
      for (var team : teams) {
        deliveries.add(delivery(team, message, "secret of " + team));
      }
    }
    Collections.shuffle(deliveries, new Random(Attack.seed()));
    acceptAll(deliveries);

    var through = new ArrayList<String>();
    for (var message = 0; message < cases / teams.size(); message++) {
      for (var team : teams) {
        // A worker that died in between is followed by another one.
        for (var life = 0; life < 2; life++) {
          read(team, message, through);
        }
      }
    }

    Attack.of("S10", "workspaces with the same ids, at the inbox").withstood(cases, through);
  }

  @Test
  void one_person_who_floods_keeps_nobody_else_out() {
    var cases = Attack.cases(500, 100_000);
    var through = new ArrayList<String>();
    for (var message = 0; message < cases; message++) {
      var isTaken = isTaken("TFLOOD", "UFLOOD", message);
      if (isTaken != message < PERSONS_MOST) {
        through.add("message " + message + " of the flood: " + isTaken);
      }
      if (message % 100 == 0 && !isTaken("TFLOOD", "UOTHER" + message, cases + message)) {
        through.add("another person's message behind " + message);
      }
    }

    Attack.of("S15", "messages by one person who floods").withstood(cases, through);
  }

  @Test
  void in_a_thread_that_is_under_way_a_person_may_go_on_up_to_a_limit() {
    for (var message = 0; message < UnderWay.MESSAGES_MAX; message++) {
      assertTrue(isTakenIn("TLONG", message), "message " + message);
    }

    assertFalse(isTakenIn("TLONG", UnderWay.MESSAGES_MAX));
  }

  /// As the policy and the door do it.
  private boolean isTaken(String team, String user, int message) {
    var json =
        new String(delivery(team, message, "hello"), StandardCharsets.UTF_8)
            .replace("U0SAME", user)
            .getBytes(StandardCharsets.UTF_8);
    return isTaken(json);
  }

  private boolean isTakenIn(String team, int message) {
    var json =
        new String(delivery(team, message, "hello"), StandardCharsets.UTF_8)
            .replace("\"text\"", "\"thread_ts\":\"" + ts(0) + "\",\"text\"")
            .getBytes(StandardCharsets.UTF_8);
    return isTaken(json);
  }

  private boolean isTaken(byte[] json) {
    var event = SlackEvent.read(json);
    return !inbox.underWay(event.written().orElseThrow()).isMoreThan(PERSONS_MOST)
        && inbox.accept(event, json) == Accepted.WAITING;
  }

  private void read(String team, int message, List<String> through) {
    var thread = new ThreadKey(team, "C0SAME", ts(message));
    try (var claim = inbox.claim(thread, Await.soon()).orElseThrow()) {
      var texts = claim.messages().stream().map(it -> it.event().text()).toList();
      var isOurs =
          texts.equals(List.of("<@UBOT> secret of " + team))
              && claim.messages().stream().allMatch(it -> it.event().team().equals(team));
      if (!isOurs) {
        through.add(thread + " reads " + texts);
      }
    }
  }

  /// How many of them wait for a turn of their own.
  private long acceptAll(List<byte[]> deliveries) throws Exception {
    var work = new ArrayList<Callable<Accepted>>();
    for (var delivery : deliveries) {
      work.add(() -> inbox.accept(SlackEvent.read(delivery), delivery));
    }
    var waiting = 0L;
    try (var doors = Executors.newFixedThreadPool(AT_ONCE)) {
      for (var accepted : doors.invokeAll(work)) {
        waiting += accepted.get() == Accepted.WAITING ? 1 : 0;
      }
    }
    return waiting;
  }

  private static String ts(int message) {
    return "17%08d.000100".formatted(message);
  }

  private static byte[] delivery(String team, int message, String text) {
    return """
    {"type":"event_callback","api_app_id":"A1","team_id":"%s","event_id":"Ev%s%d",\
    "authorizations":[{"team_id":"%s","user_id":"UBOT","is_bot":true}],
    "event":{"type":"app_mention","channel":"C0SAME","channel_type":"channel","user":"U0SAME","ts":"%s","text":"<@UBOT> %s"}}\
    """
        .formatted(team, team, message, team, ts(message), text)
        .getBytes(StandardCharsets.UTF_8);
  }
}
