package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.RealDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class StandingStillTest {

  @Inject Database database;
  @Inject Statements statements;

  @Test
  void a_transaction_in_which_nothing_happens_is_ended_before_a_lease_lapses() {
    // It counts for connections that are opened from now on; this test's own may be older.
    var settings =
        database.transaction(
            () ->
                statements
                    .of(
                        """
                        select unnest(setconfig) from pg_db_role_setting
                        where setrole = current_user::regrole and setdatabase <> 0
                        """,
                        String.class)
                    .getResultList());

    assertEquals(List.of("idle_in_transaction_session_timeout=10s"), settings);
  }
}
