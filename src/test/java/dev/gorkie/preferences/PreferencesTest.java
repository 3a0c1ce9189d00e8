package dev.gorkie.preferences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class PreferencesTest {

  private static final AtomicInteger TEAMS = new AtomicInteger();

  @Inject Database database;
  @Inject PreferenceRows rows;

  private final String team = "TCHOICE" + TEAMS.incrementAndGet();
  private final ThreadKey thread = new ThreadKey(team, "C1", "1700000000.000100");
  private final ThreadKey other = new ThreadKey(team, "C1", "1700000000.000200");

  private Preferences preferences(String... allowed) {
    return new Preferences(
        database,
        rows,
        new Preferences.Rules() {
          @Override
          public Permissions permissions() {
            return Permissions.EDIT;
          }

          @Override
          public boolean strangers() {
            return false;
          }

          @Override
          public Optional<List<String>> admins() {
            return Optional.empty();
          }
        },
        Optional.of("usual"),
        Optional.of(List.of(allowed)));
  }

  @Test
  void the_narrower_choice_of_a_model_counts_and_none_that_may_not_be_used() {
    var preferences = preferences("of-all", "of-the-channel", "of-the-person", "of-the-thread");
    assertEquals("usual", preferences.of(thread, "U1").model());

    choose(preferences, Scope.workspace(team), "of-all");
    assertEquals("of-all", preferences.of(thread, "U1").model());
    choose(preferences, Scope.channel(team, "C1"), "of-the-channel");
    assertEquals("of-the-channel", preferences.of(thread, "U1").model());
    choose(preferences, Scope.person(team, "U1"), "of-the-person");
    assertEquals("of-the-person", preferences.of(thread, "U1").model());
    assertEquals("of-the-channel", preferences.of(thread, "U2").model());
    choose(preferences, Scope.thread(thread), "of-the-thread");
    assertEquals("of-the-thread", preferences.of(thread, "U1").model());
    assertEquals("of-the-person", preferences.of(other, "U1").model());

    assertFalse(
        database.transaction(
            () -> preferences.chooseModel(Scope.thread(thread), "unheard-of", "U1")));
    // What the operator does not allow any more counts as not chosen.
    assertEquals("usual", preferences().of(thread, "U1").model());
  }

  private void choose(Preferences preferences, Scope scope, String model) {
    assertTrue(database.transaction(() -> preferences.chooseModel(scope, model, "U1")));
  }

  @Test
  void what_the_workspace_has_chosen_counts_where_nothing_narrower_was() {
    var preferences = preferences();
    assertEquals(Permissions.EDIT, preferences.of(thread, "U1").permissions());
    assertEquals(Optional.empty(), ofAll(preferences));

    permit(preferences, Scope.workspace(team), Permissions.ASK);
    assertEquals(Permissions.ASK, preferences.of(thread, "U1").permissions());
    assertEquals(Optional.of(Permissions.ASK), ofAll(preferences));
    permit(preferences, Scope.channel(team, "C1"), Permissions.BYPASS);
    assertEquals(Permissions.BYPASS, preferences.of(thread, "U1").permissions());
    permit(preferences, Scope.thread(thread), Permissions.EDIT);
    assertEquals(Permissions.EDIT, preferences.of(thread, "U1").permissions());
    assertEquals(Permissions.BYPASS, preferences.of(other, "U1").permissions());
    // A person's own choice would free the person of what others have tightened.
    permit(preferences, Scope.person(team, "U1"), Permissions.BYPASS);
    assertEquals(Permissions.EDIT, preferences.of(thread, "U1").permissions());
  }

  private Optional<Permissions> ofAll(Preferences preferences) {
    return database.transaction(() -> preferences.permissionsOf(team));
  }

  private void permit(Preferences preferences, Scope scope, Permissions permissions) {
    database.transaction(
        () -> {
          preferences.choosePermissions(scope, permissions, "U1");
          return true;
        });
  }
}
