package dev.gorkie.workbench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.FailureCode;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sessions.News;
import java.util.Locale;
import java.util.Optional;

/// How operations are spoken of to programs and whoever writes them.
final class Words {

  static final Outcome LOST =
      new Outcome.Refused(
          "lost",
          "The sandbox was replaced while this ran, and nobody knows how far it came. It is not begun again by itself.");

  static final Outcome UNHEARD =
      new Outcome.Refused(
          "lost",
          "The sandbox could not be reached any more while this ran, and nobody knows how far it came. It is not begun again by itself.");

  private Words() {}

  static Outcome refused(FailureCode code) {
    return code == SandboxFailure.NO_FILE
        ? new Outcome.Refused("missing", "It is not there any more.")
        : new Outcome.Refused(code.name().toLowerCase(Locale.ROOT), sentence(code));
  }

  private static String sentence(FailureCode code) {
    return switch (code) {
      case SandboxFailure.UNREACHABLE ->
          "The sandbox can't be reached. Its files are safe; try again in a few minutes.";
      case SandboxFailure.TOO_SLOW ->
          "The sandbox did not wake up in time. Its files are safe; try again in a few minutes.";
      case SandboxFailure.NO_ROOM -> "There is no room for another sandbox now. Try again later.";
      case SandboxFailure.NO_IMAGE ->
          "What sandboxes are made from is not there, or older than this version. Tell whoever runs Gorkie.";
      case SandboxFailure.NOT_ALLOWED ->
          "Gorkie may not use its sandboxes. Tell whoever runs Gorkie.";
      default -> "The sandbox could not be used. Try again.";
    };
  }

  /// A policy's runtimes are no wall: code of one language runs another.
  static Outcome advised(Optional<Policy> policy, ObjectNode wish, Outcome outcome) {
    if (outcome instanceof Outcome.Done(var result) && wish.has("language")) {
      policy
          .map(Policy::runtimes)
          .filter(it -> !it.isEmpty() && !it.contains(wish.path("language").asText()))
          .ifPresent(
              it ->
                  result.put("advice", "This session is meant for " + String.join(", ", it) + "."));
    }
    return outcome;
  }

  /// What a program must know whose files are not where it left them.
  static Outcome with(Optional<News> news, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Done(var result) -> {
        news.ifPresent(it -> result.put("replaced", it.carried() ? "carried_over" : "files_lost"));
        yield outcome;
      }
      case Outcome.Refused(var word, var sentence) ->
          new Outcome.Refused(word, sentence + news.map(Words::why).orElse(""));
    };
  }

  private static String why(News news) {
    return news.carried()
        ? " The sandbox was replaced, and its files were carried over."
        : " The sandbox was replaced, and its files are lost.";
  }
}
