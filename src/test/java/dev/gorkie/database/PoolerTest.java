package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gorkie.Pooler;
import dev.gorkie.RealDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// That the rooms' tests with a database run behind a pooler in transaction mode, and what is not left behind there.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class PoolerTest {

  // More than it takes until the driver would prepare a statement for good.
  private static final int TIMES = 20;

  @Inject Database database;
  @Inject Statements statements;

  @BeforeEach
  void there_is_one() {
    assumeTrue(Pooler.isInstalled(), Pooler.MISSING);
  }

  @Test
  void one_transaction_after_the_other_is_at_another_connection_of_the_servers() {
    atOnce(3);

    var servers = new HashSet<Object>();
    for (var i = 0; i < TIMES; i++) {
      servers.add(one("select pg_backend_pid()"));
    }

    assertTrue(servers.size() > 1, servers.toString());
  }

  @Test
  void no_statement_is_left_behind_on_a_connection_however_often_it_is_used() {
    for (var i = 0; i < TIMES; i++) {
      assertEquals(0L, one("select count(*) from pg_prepared_statements"));
    }
  }

  @Test
  void no_lock_is_left_behind_on_a_connection() {
    for (var i = 0; i < TIMES; i++) {
      one("select 1 from pg_advisory_xact_lock(42)");
    }

    assertEquals(0L, one("select count(*) from pg_locks where locktype = 'advisory'"));
  }

  /// So many transactions within each other: the pooler opens as many connections as are needed at a time.
  private Object atOnce(int transactions) {
    return database.transaction(
        () -> List.of(asked("select 1"), transactions == 1 ? "" : atOnce(transactions - 1)));
  }

  private Object one(String question) {
    return database.transaction(() -> asked(question));
  }

  private Object asked(String question) {
    return statements.of(question).getSingleResult();
  }
}
