package dev.gorkie.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.ThreadKey;
import dev.gorkie.inbox.Mailbox.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MailboxesTest {

  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Waiting STOP = new Waiting(true, true, false);

  private final Map<Long, Waiting> table = new ConcurrentHashMap<>();
  private final BlockingQueue<Set<Long>> looks = new LinkedBlockingQueue<>();

  @Test
  void one_look_is_for_all_turns_that_run() throws InterruptedException {
    var mailboxes = new Mailboxes(this::look, AT_ONCE);
    table.put(2L, STOP);

    var first = mailboxes.open(thread(1), 1);
    var second = mailboxes.open(thread(2), 2);
    awaitLookAt(Set.of(1L, 2L));
    awaitLookAt(Set.of(1L, 2L));

    assertEquals(Waiting.NOTHING, first.seen());
    assertEquals(STOP, second.seen());
    mailboxes.close(thread(1), first);
    mailboxes.close(thread(2), second);
  }

  @Test
  void a_nudge_has_only_that_turn_looked_for_and_at_once() throws InterruptedException {
    var mailboxes = new Mailboxes(this::look, NEVER);
    var first = mailboxes.open(thread(1), 1);
    var second = mailboxes.open(thread(2), 2);
    table.put(2L, STOP);

    mailboxes.nudge(thread(2));
    awaitLookAt(Set.of(2L));
    mailboxes.nudge(thread(1));
    awaitLookAt(Set.of(1L));

    assertEquals(STOP, second.seen());
    mailboxes.close(thread(1), first);
    mailboxes.close(thread(2), second);
  }

  @Test
  void after_a_pause_without_any_turn_and_after_a_failure_it_is_looked_again()
      throws InterruptedException {
    var failures = new ArrayList<>(List.of("away"));
    var mailboxes =
        new Mailboxes(
            turns -> {
              if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.removeFirst());
              }
              return look(turns);
            },
            AT_ONCE);

    for (var turn = 1L; turn <= 3; turn++) {
      table.put(turn, STOP);
      var mailbox = mailboxes.open(thread(turn), turn);
      awaitLookAt(Set.of(turn));
      awaitLookAt(Set.of(turn));
      assertEquals(STOP, mailbox.seen());
      mailboxes.close(thread(turn), mailbox);
    }
  }

  private Map<Long, Waiting> look(Collection<Long> turns) {
    looks.add(Set.copyOf(turns));
    var found = new HashMap<>(table);
    found.keySet().retainAll(turns);
    return found;
  }

  /// What one look found is seen when the next one begins.
  private void awaitLookAt(Set<Long> turns) throws InterruptedException {
    while (true) {
      var look = looks.poll(1, TimeUnit.MINUTES);
      assertTrue(look != null, "Nobody looks");
      if (turns.equals(look)) {
        return;
      }
    }
  }

  private static ThreadKey thread(long number) {
    return ThreadKey.direct("T", "U" + number);
  }
}
