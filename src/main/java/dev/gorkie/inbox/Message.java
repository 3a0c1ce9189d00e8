package dev.gorkie.inbox;

import dev.gorkie.slack.Command;
import dev.gorkie.slack.MessageEvent;
import java.time.Instant;
import java.util.Optional;

/// What a person wrote, as it waits in the inbox; `steers` when it came while its turn ran already, `order` when it is
/// a command that has waited for its turn.
public record Message(
    long id,
    MessageEvent event,
    int attempts,
    boolean steers,
    boolean given,
    Optional<Command.Word> order,
    Instant acceptedAt) {

  public boolean isStop() {
    return event.isStop();
  }
}
