package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What an operator reads who forgot something.
class SettingsIT {

  private final Stage stage = Stage.open();

  @Test
  void a_missing_setting_stops_the_start_with_a_sentence_that_names_it() throws Exception {
    var environment = new HashMap<>(stage.world().environment());
    environment.remove("MODEL_ID");

    try (var gorkie = Gorkie.start(environment)) {
      assertEquals(2, gorkie.end());
      assertTrue(gorkie.output().contains("MODEL_ID is missing. Expected: "), gorkie.output());
      assertEquals(2, gorkie.output().lines().count(), gorkie.output());
    }
  }

  @Test
  void whoever_has_set_nothing_reads_one_sentence_that_names_what_to_start() throws Exception {
    try (var gorkie = Gorkie.start(Map.of())) {
      assertEquals(2, gorkie.end());
      assertTrue(gorkie.output().contains("“make dev”"), gorkie.output());
      assertEquals(1, gorkie.output().lines().count(), gorkie.output());
    }
  }

  @Test
  void a_malformed_setting_stops_the_start_and_its_value_is_not_printed() throws Exception {
    var environment = new HashMap<>(stage.world().environment());
    environment.put("SLACK_BOT_TOKEN", "hunter2");

    try (var gorkie = Gorkie.start(environment)) {
      assertEquals(2, gorkie.end());
      assertTrue(gorkie.output().contains("SLACK_BOT_TOKEN is not what it should be."));
      assertFalse(gorkie.output().contains("hunter2"));
    }
  }

  @Test
  void a_database_without_tables_stops_the_start_with_the_command_that_makes_them()
      throws Exception {
    var environment = new HashMap<>(stage.world().environment());
    // Every PostgreSQL has this one, and nobody keeps anything in it.
    environment.compute(
        "DATABASE_URL", (_, url) -> URI.create(url).resolve("/template1").toString());

    try (var gorkie = Gorkie.start(environment)) {
      assertEquals(1, gorkie.end());
      assertTrue(gorkie.output().contains("“make migrate”"), gorkie.output());
    }
  }

  @Test
  void tables_that_others_made_stop_the_start_with_a_sentence() throws Exception {
    var url = stage.migratedDatabase("made_by_others");
    try (var connection = Stage.connect(URI.create(url));
        var statement = connection.createStatement()) {
      statement.execute("update flyway_schema_history set checksum = checksum + 1");
    }
    var environment = new HashMap<>(stage.world().environment());
    environment.put("DATABASE_URL", url);
    environment.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");

    try (var gorkie = Gorkie.start(environment)) {
      assertEquals(1, gorkie.end(), gorkie.output());
      assertTrue(gorkie.output().contains("made by other migrations"), gorkie.output());
      assertFalse(gorkie.output().contains("\tat "), gorkie.output());
    }
  }

  @Test
  void an_unknown_role_is_refused() throws Exception {
    var environment = new HashMap<>(stage.world().environment());
    environment.put("GORKIE_ROLE", "janitor");

    try (var gorkie = Gorkie.start(environment)) {
      assertEquals(2, gorkie.end());
      assertTrue(gorkie.output().contains("GORKIE_ROLE"), gorkie.output());
    }
  }
}
