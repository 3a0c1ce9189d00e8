package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.ThreadView;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/// Some turns, in each of which one to three random answers are lost, and now and then the worker too.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class LossTest {

  private static final Logger LOG = Logger.getLogger(LossTest.class);
  private static final int TURNS = Integer.getInteger("turns", 75);
  private static final List<String> METHODS =
      List.of(
          "chat.postMessage",
          "chat.postMessage",
          "chat.startStream",
          "chat.appendStream",
          "chat.stopStream",
          "chat.update",
          "conversations.replies",
          "files.getUploadURLExternal",
          "upload",
          "files.completeUploadExternal",
          "files.completeUploadExternal",
          "files.info");
  private static final List<Fault> FAULTS =
      List.of(
          new Fault.AnswerLost(),
          new Fault.AnswerLost(),
          new Fault.NeverArrived(),
          new Fault.Status(502),
          new Fault.Refused("fatal_error"));

  @Inject Tables tables;

  @Test
  void nothing_is_missing_and_nothing_is_there_twice() throws InterruptedException {
    var seed = Long.getLong("seed", System.nanoTime());
    LOG.infof("-Dseed=%d -Dturns=%d", seed, TURNS);
    var random = new Random(seed);
    try (var slack = new SlackAtHand(tables, Map.of("gorkie.slack.card-interval", "1ms"))) {
      for (var i = 1; i <= TURNS; i++) {
        var turn = "turn-" + i;
        var root = slack.workspace.say("general", "ada", "@gorkie do it");
        var at =
            new Address(
                new ThreadKey(slack.address.team(), slack.address.channel(), root),
                slack.address.channel(),
                root,
                root,
                slack.address.user());
        var isLong = random.nextInt(4) == 0;
        var answer = isLong ? "Answer " + i + "." + " A word.".repeat(6_000) : "Answer " + i;
        for (var lost = random.nextInt(1, 4); lost > 0; lost--) {
          slack.workspace.fail(any(random, METHODS), 1, any(random, FAULTS));
        }

        take(slack, at, turn, answer, random);
        slack.workspace.heal();
        tables.passes("1 hour");
        slack.replies().resolve(100);

        var what = "seed " + seed + ", " + turn;
        var files = isLong ? 2 : 1;
        var thread =
            slack.workspace.awaitThread(
                at.channel(), root, it -> it.filesByApp().size() >= files, SlackAtHand.SOON);
        assertEquals(files, thread.filesByApp().size(), () -> what + thread.plain());
        assertEquals(1, answers(thread, answer), () -> what + thread.plain());
        assertTrue(cards(thread) <= 1, () -> what + thread.plain());
        assertTrue(
            tables.of(turn).stream().allMatch(row -> row.is(OutboxRow.CONFIRMED)),
            () -> what + thread.plain());
        assertTrue(
            thread.byApp().stream()
                .noneMatch(one -> one.streaming() || one.text().startsWith("Working")),
            () -> what + thread.plain());
      }
    }
  }

  /// One worker after the other, until one comes to the end.
  private void take(SlackAtHand slack, Address at, String turn, String answer, Random random)
      throws InterruptedException {
    var isDecided = false;
    var isDelivered = false;
    for (var fence = 1; !isDelivered; fence++) {
      var hold = new TestHold(fence);
      var deadline = Deadline.in(SlackAtHand.SOON);
      try (var reply = slack.open(at, turn, hold, deadline)) {
        if (!isDecided) {
          reply.step("a", "Reading", "");
          upload(reply);
          if (random.nextBoolean()) {
            isSeen(slack, reply, answer);
          }
          reply.rest();
          slack.decides(reply, new LastWord.Answer(answer));
          isDecided = true;
        }
        if (random.nextInt(4) == 0) {
          hold.lose();
        }
        isDelivered = reply.deliver();
      } catch (HoldLost _) {
        // The next one goes on.
      }
    }
  }

  /// Some of it is shown before it is whole, as far as that can be.
  private static void isSeen(SlackAtHand slack, Reply reply, String answer)
      throws InterruptedException {
    var before = slack.workspace.calls().size();
    reply.say(answer.substring(0, answer.length() / 3));
    if (answer.length() > 300) {
      slack.workspace.awaitCalls(calls -> calls.size() > before, SlackAtHand.SOON);
      reply.say(answer.substring(answer.length() / 3, answer.length() / 2));
    }
  }

  private static void upload(Reply reply) throws InterruptedException {
    var bytes = "the file".getBytes(UTF_8);
    while (true) {
      try {
        reply.upload(
            Hash.of("the file"), "a.txt", "", bytes.length, new ByteArrayInputStream(bytes));
        return;
      } catch (Failure failure) {
        // Its bytes did not get through, or nobody can tell; Pi would show it again.
        LOG.debug(failure);
      }
    }
  }

  private static long answers(ThreadView thread, String answer) {
    var beginning = answer.substring(0, Math.min(answer.length(), 30));
    return thread.byApp().stream().filter(one -> one.text().startsWith(beginning)).count();
  }

  private static long cards(ThreadView thread) {
    return thread.byApp().stream().filter(one -> !one.tasks().isEmpty()).count();
  }

  private static <T> T any(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
