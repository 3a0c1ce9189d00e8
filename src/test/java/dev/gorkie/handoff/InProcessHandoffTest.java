package dev.gorkie.handoff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.gorkie.ThreadKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InProcessHandoffTest {

  private static final ThreadKey THREAD = new ThreadKey("T1", "C1", "1700000000.000100");

  @Test
  void what_is_taken_in_too_late_for_slack_is_worked_on_all_the_same() throws Exception {
    var mayBeTakenIn = new CountDownLatch(1);
    var worked = new CompletableFuture<ThreadKey>();
    var handoff =
        new InProcessHandoff(
            new Worker() {
              @Override
              public Optional<ThreadKey> accept(Delivery delivery) {
                try {
                  mayBeTakenIn.await();
                } catch (InterruptedException stopped) {
                  throw new IllegalStateException(stopped);
                }
                return Optional.of(THREAD);
              }

              @Override
              public void carryOut(String operation) {}

              @Override
              public void work(ThreadKey thread) {
                worked.complete(thread);
              }
            });

    var inTime = handoff.carry(new Delivery(new byte[0]));
    assertFalse(worked.isDone());
    mayBeTakenIn.countDown();

    assertFalse(inTime);
    assertEquals(THREAD, worked.get(1, TimeUnit.MINUTES));
  }
}
