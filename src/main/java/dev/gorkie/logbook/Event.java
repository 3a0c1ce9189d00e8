package dev.gorkie.logbook;

import java.util.Optional;
import org.jboss.logmanager.Level;

/// What happens on a turn's way from room to room, under a name that an operator may search for.
public enum Event {
  SANDBOX_RESOLVE_START("sandbox.resolve.start"),
  SANDBOX_RESOLVE_REUSE("sandbox.resolve.reuse"),
  SANDBOX_RESOLVE_RECREATE("sandbox.resolve.recreate"),
  SANDBOX_CREATED("sandbox.created", Level.INFO, Count.SANDBOX_CREATES),
  SANDBOX_RESUMED("sandbox.resumed", Level.INFO, Count.SANDBOX_RESUMES),
  SANDBOX_SESSION_REPLACED("sandbox.session.replaced", Level.WARN, Count.SANDBOX_REPLACEMENTS),
  SANDBOX_HEALTH_RETRY("sandbox.health.retry", Level.WARN, Count.HEALTH_RETRIES),
  SANDBOX_PROMPT_RETRY("sandbox.prompt.retry", Level.WARN, Count.PROMPT_RETRIES),
  SANDBOX_PROMPT_OK("sandbox.prompt.ok"),
  SANDBOX_PROMPT_RECOVERABLE_FAIL("sandbox.prompt.recoverable_fail"),
  SANDBOX_PROMPT_FATAL_FAIL("sandbox.prompt.fatal_fail"),
  TURN_ENDED("turn.ended");

  private final String word;
  private final Level level;
  private final Optional<Count> count;

  Event(String word) {
    this.word = word;
    this.level = Level.INFO;
    this.count = Optional.empty();
  }

  Event(String word, Level level, Count count) {
    this.word = word;
    this.level = level;
    this.count = Optional.of(count);
  }

  String word() {
    return word;
  }

  Level level() {
    return level;
  }

  Optional<Count> count() {
    return count;
  }
}
