package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.RealDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose fault it is that a transaction came to nothing.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class LostTest {

  @Inject Database database;
  @Inject Statements statements;

  @Test
  void a_connection_that_ends_under_a_statement_is_lost() {
    var failure =
        assertThrows(
            RuntimeException.class,
            () ->
                database.transaction(
                    () ->
                        statements
                            .of("select pg_terminate_backend(pg_backend_pid())")
                            .getResultList()));

    assertTrue(Database.isLost(failure), failure::toString);
  }

  @Test
  void a_connection_that_ends_before_the_commit_is_lost() {
    var failure =
        assertThrows(
            RuntimeException.class,
            () ->
                database.transaction(
                    () -> {
                      var own =
                          (Integer)
                              statements
                                  .of("select pg_backend_pid()", Integer.class)
                                  .getSingleResult();
                      return database.transaction(() -> ended(own));
                    }));

    assertTrue(Database.isLost(failure), failure::toString);
  }

  @Test
  void a_question_of_our_own_that_ends_is_lost() {
    var failure =
        assertThrows(
            RuntimeException.class,
            () ->
                database.ask(
                    "select pg_terminate_backend(pg_backend_pid())", row -> row.getBoolean(1)));

    assertTrue(Database.isLost(failure), failure::toString);
  }

  @Test
  void one_that_nobody_may_write_to_for_now_is_lost() {
    var failure =
        assertThrows(
            RuntimeException.class,
            () ->
                database.transaction(
                    () -> {
                      statements.of("set transaction read only").executeUpdate();
                      return statements.of("update sweep set awake = awake").executeUpdate();
                    }));

    assertTrue(Database.isLost(failure), failure::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select nothing from nowhere",
        "select 1 / 0",
        "insert into threads (thread_id) values ('without the rest')"
      })
  void what_the_database_refuses_is_not(String wrong) {
    var failure =
        assertThrows(
            RuntimeException.class,
            () -> database.transaction(() -> statements.of(wrong).executeUpdate()));

    assertFalse(Database.isLost(failure), failure::toString);
  }

  @Test
  void nor_is_a_fault_of_our_own() {
    assertFalse(
        Database.isLost(new IllegalStateException("a bug", new NullPointerException("another"))));
  }

  private boolean ended(int pid) {
    return (Boolean)
        statements
            .of("select pg_terminate_backend(:pid)", Boolean.class)
            .setParameter("pid", pid)
            .getSingleResult();
  }
}
