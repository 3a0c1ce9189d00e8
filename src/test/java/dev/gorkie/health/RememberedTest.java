package dev.gorkie.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.gorkie.settings.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class RememberedTest {

  private Instant now = Instant.EPOCH;
  private int asked;

  @Test
  void however_many_ask_at_once_one_question_is_put() throws Exception {
    var check = answering(Role.SERVER, Optional.empty());

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<HealthCheckResponse> probe = check::call;
      for (var answer : threads.invokeAll(Stream.generate(() -> probe).limit(20).toList())) {
        assertEquals(Status.UP, answer.get().getStatus());
      }
    }

    assertEquals(1, asked);
  }

  @Test
  void an_answer_lasts_for_some_seconds_and_not_longer_whichever_it_is() {
    var check = answering(Role.SERVER, Optional.of("it is away"), Optional.empty());

    var first = check.call();
    now = now.plusMillis(9_999);
    var same = check.call();
    now = now.plusMillis(1);
    var next = check.call();

    assertEquals(List.of(Status.DOWN, Status.DOWN), List.of(first.getStatus(), same.getStatus()));
    assertEquals("it is away", first.getData().orElseThrow().get("reason"));
    assertEquals(Status.UP, next.getStatus());
    assertFalse(next.getData().isPresent());
    assertEquals(2, asked);
  }

  @Test
  void a_function_that_only_hears_slack_asks_nobody() {
    assertEquals(Status.UP, answering(Role.INGRESS, Optional.of("it is away")).call().getStatus());
    assertEquals(0, asked);
  }

  @SafeVarargs
  private Remembered answering(Role role, Optional<String>... troubles) {
    var answers = new ArrayDeque<>(List.of(troubles));
    return new Remembered("something", role, Duration.ofSeconds(10), () -> now) {
      @Override
      Optional<String> trouble() {
        asked++;
        return answers.removeFirst();
      }
    };
  }
}
