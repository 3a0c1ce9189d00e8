package dev.gorkie.daytona;

import dev.gorkie.Failure;
import dev.gorkie.sandbox.SandboxFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// What came of a question to Daytona.
sealed interface Answer<T> {

  record Given<T>(T value) implements Answer<T> {}

  /// It was understood and not done, or somebody on the way answered instead.
  record Refused<T>(Refusal refusal) implements Answer<T> {}

  /// No answer came. What was asked for may have been done, unless it was not sent.
  record Lost<T>(Loss loss, String reason) implements Answer<T> {}

  enum Loss {
    NOT_SENT,
    NOT_ANSWERED,
    /// Our own deadline came first, which says nothing about the other side.
    NO_TIME
  }

  default T orThrow(String asked) {
    return switch (this) {
      case Given(var value) -> value;
      case Refused(var refusal) -> throw refusal.failure(asked);
      case Lost(_, var reason) ->
          throw new Failure(SandboxFailure.UNREACHABLE, asked + ": " + reason);
    };
  }

  default <R> Answer<R> map(Function<T, R> change) {
    return switch (this) {
      case Given(var value) -> new Given<>(change.apply(value));
      case Refused(var refusal) -> new Refused<>(refusal);
      case Lost(var loss, var reason) -> new Lost<>(loss, reason);
    };
  }

  /// A status with what else could be read of it: bodies may be empty, or HTML of somebody in between.
  record Refusal(int status, String code, String message, Optional<Duration> retryAfter) {

    boolean isTooMany() {
      return status == 429;
    }

    /// Nothing is known about what was asked for: a gateway spoke.
    boolean isGateway() {
      return status == 502 || status == 503 || status == 504;
    }

    /// During a transition the toolbox's address gives answers that read like our mistake or like a missing file. They only
    /// mean that the state is to be read again (daytonaio/daytona#4142).
    boolean isAboutTheMachine() {
      var said = message.toLowerCase(Locale.ROOT);
      return switch (status) {
        case 400 ->
            said.contains("is the sandbox started?") || said.contains("failed to get runner info");
        case 404 ->
            !code.equals("FILE_NOT_FOUND")
                && !said.contains("no such file")
                && (said.contains("container") || said.contains("sandbox"));
        default -> isGateway();
      };
    }

    /// The organization has used up what it may.
    boolean isAboutRoom() {
      var said = message.toLowerCase(Locale.ROOT);
      return status == 400
          && (said.contains("limit exceeded")
              || said.contains("quota")
              || said.contains("no available runners"));
    }

    boolean isAboutTheSnapshot() {
      return status == 400 && message.startsWith("Snapshot ");
    }

    Failure failure(String asked) {
      var detail = asked + ": " + status + " " + code;
      if (status == 401 || status == 403) {
        return new Failure(SandboxFailure.NOT_ALLOWED, detail);
      }
      if (isAboutRoom()) {
        return new Failure(SandboxFailure.NO_ROOM, detail);
      }
      if (isAboutTheSnapshot()) {
        return new Failure(SandboxFailure.NO_IMAGE, detail);
      }
      if (isTooMany() || status >= 500) {
        return new Failure(SandboxFailure.UNREACHABLE, detail);
      }
      return new Failure(SandboxFailure.REFUSED, detail);
    }
  }
}
