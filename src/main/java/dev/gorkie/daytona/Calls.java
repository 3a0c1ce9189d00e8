package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Loss;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refusal;
import dev.gorkie.daytona.Answer.Refused;
import io.smallrye.mutiny.Uni;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Asks Daytona, again where that can do no harm, and says what came of it.
final class Calls {

  private static final int TRIES_MAX = 4;
  // Whoever has a turn stopped is told within two seconds that it is.
  private static final Duration LOOKS_UP_EVERY = Duration.ofMillis(500);

  private final Duration firstPause;

  Calls(Duration firstPause) {
    this.firstPause = firstPause;
  }

  /// One attempt, however it is carried.
  @FunctionalInterface
  interface Attempt<T> {
    Answer<T> make(Deadline until) throws InterruptedException;
  }

  private enum Effect {
    ONCE,
    REPEATABLE
  }

  /// For what may be done twice: reading, deleting, and what Daytona itself takes only once.
  <T> Answer<T> repeatable(Attempt<T> attempt, Duration timeout, Deadline deadline)
      throws InterruptedException {
    return ask(attempt, Effect.REPEATABLE, timeout, deadline);
  }

  /// For what must not be done twice: asked again only when it certainly was not begun.
  <T> Answer<T> once(Attempt<T> attempt, Duration timeout, Deadline deadline)
      throws InterruptedException {
    return ask(attempt, Effect.ONCE, timeout, deadline);
  }

  static <T> Attempt<T> of(Supplier<Uni<T>> call) {
    return until -> await(call, until);
  }

  private <T> Answer<T> ask(Attempt<T> attempt, Effect effect, Duration timeout, Deadline deadline)
      throws InterruptedException {
    var pause = firstPause;
    for (var tries = 1; ; tries++) {
      if (deadline.isOver()) {
        return new Lost<>(Loss.NO_TIME, "no time left");
      }
      var answer = attempt.make(deadline.within(timeout));
      if (answer instanceof Lost<T>(var loss, var reason)
          && loss == Loss.NOT_ANSWERED
          && deadline.isOver()) {
        return new Lost<>(Loss.NO_TIME, reason);
      }
      var wait = pauseBeforeAnother(answer, effect, pause);
      if (wait.isEmpty() || tries == TRIES_MAX || wait.get().compareTo(deadline.left()) >= 0) {
        return answer;
      }
      Thread.sleep(wait.get());
      pause = pause.multipliedBy(2);
    }
  }

  private static Optional<Duration> pauseBeforeAnother(
      Answer<?> answer, Effect effect, Duration pause) {
    return switch (answer) {
      case Given<?> _ -> Optional.empty();
      case Refused<?>(Refusal refusal)
          when refusal.isTooMany() || (effect == Effect.REPEATABLE && refusal.isGateway()) ->
          Optional.of(refusal.retryAfter().orElse(pause));
      case Refused<?> _ -> Optional.empty();
      case Lost<?>(Loss loss, _) ->
          switch (loss) {
            case NOT_SENT -> Optional.of(pause);
            case NOT_ANSWERED ->
                effect == Effect.REPEATABLE ? Optional.of(pause) : Optional.empty();
            case NO_TIME -> Optional.empty();
          };
    };
  }

  /// A deadline may be called off before it has come.
  private static <T> Answer<T> await(Supplier<Uni<T>> call, Deadline until)
      throws InterruptedException {
    var timeout = until.left();
    var answer = call.get().subscribeAsCompletionStage();
    try {
      while (true) {
        try {
          var look = millisToNextLook(until);
          return new Given<>(answer.get(look, TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
          if (until.isOver()) {
            return new Lost<>(Loss.NOT_ANSWERED, "no answer in " + timeout.toMillis() + " ms");
          }
        }
      }
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case Refusals.Refused refused -> new Refused<>(refused.refusal());
        case ConnectException _, UnknownHostException _ ->
            new Lost<>(Loss.NOT_SENT, "no connection");
        case null, default -> new Lost<>(Loss.NOT_ANSWERED, String.valueOf(e.getCause()));
      };
    } finally {
      // Takes back a question that nobody waits for any more; an answered one stays answered.
      answer.cancel(true);
    }
  }

  /// Whoever waits so long and looks at the time then notices soon that nobody wants it any more.
  /// Rounded up: a wait that ends before the deadline does would pass for a lost answer.
  static long millisToNextLook(Deadline until) {
    return until.within(LOOKS_UP_EVERY).left().toMillis() + 1;
  }
}
