package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.RealDatabase;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class StandingStillTest {

  @Inject Database database;
  @Inject EntityManager entities;

  @Test
  void a_transaction_in_which_nothing_happens_is_ended_before_a_lease_lapses() {
    var ends =
        database.transaction(
            () ->
                entities
                    .createNativeQuery("show idle_in_transaction_session_timeout", String.class)
                    .getSingleResult());

    assertEquals("10s", ends);
  }
}
