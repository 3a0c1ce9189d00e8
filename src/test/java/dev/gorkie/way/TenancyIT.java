package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.LiveFiles;
import dev.gorkie.attack.Attack;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.slack.LocalSlack;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Two workspaces in which every id is the same, served by the same processes, one after the other.
class TenancyIT {

  private static final String HERE = "canary-of-here";
  private static final String THERE = "canary-of-there";

  private final Stage stage = Stage.open();

  @Test
  void workspaces_with_the_same_ids_meet_on_no_way_whoever_works_for_them() throws Exception {
    var here = stage.slack();
    var there = here.beside("T0SAMEIDS", "Same ids");
    var settings = new HashMap<>(InstallIT.CLIENT);
    settings.put("GORKIE_CHOICES_PERMISSIONS", "ask");
    String root;
    try (var first = stage.another(settings)) {
      there.deliverTo(first.events());
      InstallIT.install(first, here);
      InstallIT.install(first, there);
      root = asks(here, HERE);
      there.nextIsAt(root);
      assertEquals(root, asks(there, THERE));
      awaitQuestion(here, root);
      awaitQuestion(there, root);
      // Else the stage's own server, let in here alone, may be the first to see a lease lapse.
      var held = "threads where lease_owner is not null and thread_id like '%" + root + "'";
      Await.until(() -> stage.count(held) == 0);
      first.kill();
    }

    try (var second = stage.another(settings)) {
      there.deliverTo(second.events());
      // Only here: there nobody has allowed anything.
      allows(here, root);
      var answered = awaitAnswer(here, root, HERE);
      assertTrue(!there.thread("general", root).appSaid(THERE + "-2"), answered.plain());
      allows(there, root);
      awaitAnswer(there, root, THERE);

      Attack.of("S10", "workspaces with the same ids, all the way")
          .withstood(calls(here) + calls(there), crossings(here, there));

      there.throwOut();
      Await.until(() -> stage.count("departures where team = 'T0SAMEIDS'") == 1);
      // Long before it would be by itself.
      var forgotten = stage.forgets(there.teamId(), 0);
      assertTrue(forgotten.contains("nothing is left"), forgotten);
      assertEquals(0, machinesOf(there));
      assertTrue(machinesOf(here) > 0);
      assertTrue(stage.count("inbox where team = '" + here.teamId() + "'") > 0);
    } finally {
      there.throwOut();
      stage.asBefore();
    }
  }

  private static String asks(LocalSlack slack, String canary) throws InterruptedException {
    return slack.say(
        Utterance.in(
                "general",
                "ada",
                "@gorkie $ cat attachments/*/notes.txt; echo " + canary + "-$((1+1))")
            .with(Upload.text("notes.txt", "note " + canary)));
  }

  private static void awaitQuestion(LocalSlack slack, String root) throws InterruptedException {
    slack.awaitThread(
        "general",
        root,
        thread ->
            thread.session().equals(Optional.of("suspended"))
                && thread.byApp().stream().anyMatch(it -> it.button("Allow").isPresent()),
        Stage.PATIENCE);
  }

  private static void allows(LocalSlack slack, String root) throws InterruptedException {
    var question =
        slack.thread("general", root).byApp().stream()
            .filter(it -> it.button("Allow").isPresent())
            .findFirst()
            .orElseThrow();
    // A server that has just begun may not hear in time who presses, and says so.
    while (isOpen(slack.thread("general", root), question.ts())) {
      var before = told(slack.thread("general", root));
      slack.click("general", question.ts(), "ada", "gorkie_allow");
      slack.awaitThread(
          "general",
          root,
          thread -> told(thread) > before || !isOpen(thread, question.ts()),
          Stage.PATIENCE);
    }
  }

  private static long told(ThreadView thread) {
    return thread.messages().stream().filter(it -> it.onlyFor().isPresent()).count();
  }

  private static boolean isOpen(ThreadView thread, String question) {
    return thread.byApp().stream()
        .anyMatch(it -> it.ts().equals(question) && it.button("Allow").isPresent());
  }

  private static ThreadView awaitAnswer(LocalSlack slack, String root, String canary)
      throws InterruptedException {
    return slack.awaitThread(
        "general",
        root,
        thread ->
            thread.appSaid(canary + "-2")
                && thread.appSaid("note " + canary)
                && !thread.session().equals(Optional.of("processing")),
        Stage.PATIENCE);
  }

  private long machinesOf(LocalSlack slack) {
    return stage.daytona().sandboxes().stream()
        .filter(machine -> machine.name().contains(slack.teamId()))
        .count();
  }

  private static int calls(LocalSlack slack) {
    return slack.calls().size();
  }

  private List<String> crossings(LocalSlack here, LocalSlack there) throws IOException {
    var found = new ArrayList<String>();
    here.calls().stream()
        .filter(call -> call.form().toString().contains(THERE))
        .forEach(call -> found.add("said here: " + call));
    there.calls().stream()
        .filter(call -> call.form().toString().contains(HERE))
        .forEach(call -> found.add("said there: " + call));
    for (var machine : stage.daytona().sandboxes()) {
      var isThere = machine.name().contains(there.teamId());
      if (contains(machine, isThere ? HERE : THERE)) {
        found.add("in sandbox " + machine.name());
      }
    }
    return found;
  }

  private static boolean contains(LocalDaytona.View machine, String canary) throws IOException {
    for (var file : LiveFiles.below(machine.home())) {
      if (new String(LiveFiles.read(file), StandardCharsets.ISO_8859_1).contains(canary)) {
        return true;
      }
    }
    return false;
  }
}
