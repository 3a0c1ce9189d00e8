package dev.gorkie.pi;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// A conversation of which nothing gets lost.
final class AnyConversation {

  private AnyConversation() {}

  static Conversation conversation(boolean begun) {
    return new Conversation("C1-1700000000.000100", begun, AnyConversation::instead);
  }

  /// Where no Pi is started in the end.
  static Launch launch() {
    var model = URI.create("http://model.invalid/v1");
    return new Launch(
        conversation(true),
        "bypass",
        "/work",
        model,
        "id",
        false,
        Optional.of("key"),
        Duration.ofMinutes(20));
  }

  private static Conversation instead() {
    throw new AssertionError("Pi did not find its session");
  }
}
