package dev.gorkie.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.Deadline;
import dev.gorkie.daytona.Answer.Loss;
import dev.gorkie.daytona.Answer.Lost;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class CallsTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration LESS_THAN_A_MILLISECOND = Duration.ofNanos(900_000);

  @RepeatedTest(10)
  void an_answer_that_the_deadline_cuts_off_is_not_a_lost_one() throws InterruptedException {
    var calls = new Calls(LONG);

    var answer =
        calls.repeatable(
            Calls.of(() -> Uni.createFrom().nothing()), LONG, Deadline.in(LESS_THAN_A_MILLISECOND));

    assertEquals(Loss.NO_TIME, ((Lost<?>) answer).loss());
  }

  @Test
  void an_answer_that_nobody_wants_any_more_is_not_waited_for() throws InterruptedException {
    var calls = new Calls(LONG);
    var calledOff = new AtomicBoolean();
    Supplier<Uni<Void>> unanswered =
        () -> {
          calledOff.set(true);
          return Uni.createFrom().nothing();
        };

    var answer = calls.once(Calls.of(unanswered), LONG, Deadline.in(LONG).unless(calledOff::get));

    assertEquals(Loss.NO_TIME, ((Lost<?>) answer).loss());
  }
}
