package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.ThreadView;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What an operator has forgotten with “make forget”, while the program is at work. `TenancyIT` has a whole workspace forgotten.
class ForgetIT {

  private final Stage stage = Stage.open();

  @Test
  void a_thread_and_then_a_person_are_forgotten_and_what_others_wrote_is_not() throws Exception {
    stage.slack().addPerson("fern", "Fern Forgotten");
    var hers = asks("fern", "first");
    var anothers = asks("fern", "second");
    var stays = stage.ask("general", "$ echo of-somebody-else");
    var team = stage.slack().teamId();
    var home = stage.sandboxOf(hers).home();

    var ofThread = stage.forgets(key(hers), 0);

    assertTrue(ofThread.contains("Thread " + key(hers) + " is forgotten"), ofThread);
    assertTrue(ofThread.contains("nothing is left"), ofThread);
    assertFalse(ofThread.contains("Installed features"), ofThread);
    assertEquals(0, kept(hers));
    assertTrue(stage.daytona().sandbox("gorkie-" + key(hers).replace(':', '-')).isEmpty());
    assertTrue(Files.notExists(home), home.toString());
    assertTrue(kept(anothers) > 0);

    var ofPerson = stage.forgets(team + "/" + stage.slack().person("fern").id(), 0);

    assertTrue(
        ofPerson.contains("with 1 conversation:") && ofPerson.contains("nothing is left"),
        ofPerson);
    assertEquals(0, kept(anothers));
    assertEquals(
        0, stage.count("inbox where author = '" + stage.slack().person("fern").id() + "'"));
    // And whoever is there goes on as before.
    assertTrue(kept(stays) > 0);
    assertTrue(Stage.answer(stage.goOn(stays, "$ echo still-there")).contains("still-there"));
  }

  @Test
  void a_tenant_of_the_api_is_forgotten_with_the_token_that_was_made_for_it() throws Exception {
    var wish = Map.of("GORKIE_TOKEN", "make", "TENANT", "forgotten", "NAME", "a test");
    var made = stage.does(wish, 0).strip();
    assertTrue(made.startsWith("For forgotten, with execute,read,write, for 90 days."), made);
    var token = made.substring(made.lastIndexOf('\n') + 1);
    assertEquals(200, answered(token));

    var forgotten = stage.forgets("api/forgotten", 0);

    assertTrue(
        forgotten.contains("with 1 session:") && forgotten.contains("nothing is left"), forgotten);
    assertEquals(401, answered(token));
    assertEquals(0, stage.count("operations where tenant = 'forgotten'"));
  }

  /// Whether something is done for whoever has this, however long that takes.
  private int answered(String token) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var command = "{\"session\":\"s\",\"command\":\"true\"}";
      var request =
          HttpRequest.newBuilder(stage.url().resolve("/v1/sandbox/bash"))
              .header("Authorization", "Bearer " + token)
              .header("Idempotency-Key", "once")
              .POST(HttpRequest.BodyPublishers.ofString(command))
              .build();
      var status = 202;
      while (status == 202) {
        status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      }
      return status;
    }
  }

  @Test
  void what_is_nothing_to_forget_is_refused_with_a_sentence() throws Exception {
    var said = stage.forgets("T1'; drop table threads", 2);

    assertTrue(said.contains("api/acme"), said);
    assertTrue(said.startsWith("GORKIE_FORGETS is not what it should be. Expected: "), said);
  }

  @Test
  void a_thread_that_was_misspelled_is_told_so_and_a_workspace_is_not_forgotten_by_a_slip()
      throws Exception {
    var team = stage.slack().teamId();
    var messages = stage.count("inbox where team = '" + team + "'");

    var misspelled = stage.forgets(team + ":C0NOTHING:1700000000.000100", 0);
    var slip = stage.forgets(team, 2);

    assertTrue(misspelled.contains("There was no conversation of "), misspelled);
    assertTrue(slip.contains("Nothing was forgotten. "), slip);
    assertTrue(slip.contains("Expected: SURE=" + team + " as well"), slip);
    assertEquals(messages, stage.count("inbox where team = '" + team + "'"));
  }

  private ThreadView asks(String user, String word) throws InterruptedException {
    var root = stage.slack().say("general", user, "@gorkie $ echo " + word);
    return stage.answered("general", root, 1);
  }

  private String key(ThreadView thread) {
    var slack = stage.slack();
    return slack.teamId() + ":" + slack.channel(thread.channel()).id() + ":" + thread.rootTs();
  }

  private long kept(ThreadView thread) throws Exception {
    var rows = 0L;
    for (var table :
        new String[] {"threads", "inbox", "turns", "outbox", "sandbox_sessions", "transcripts"}) {
      rows += stage.count(table + " where thread_id = '" + key(thread) + "'");
    }
    return rows;
  }
}
