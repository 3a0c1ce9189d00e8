package dev.gorkie.inbox;

import dev.gorkie.slack.MessageEvent;

/// What a person wrote, as it waits in the inbox; `steers` when it came while its turn ran already.
public record Message(long id, MessageEvent event, int attempts, boolean steers, boolean given) {

  public boolean isStop() {
    return event.isStop();
  }
}
