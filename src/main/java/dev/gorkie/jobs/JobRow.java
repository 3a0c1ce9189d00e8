package dev.gorkie.jobs;

import dev.gorkie.ThreadKey;
import dev.gorkie.slack.Address;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A job as far as it is known outside of its sandbox. Read through Hibernate, written by conditional updates only.
@Entity
@Table(name = "jobs")
class JobRow {

  static final String RUNNING = "running";
  static final String OVER = "over";

  @Id String jobId = "";
  String threadId = "";
  String askedAs = "";
  String sandboxId = "";
  String app = "";
  String team = "";
  String channel = "";
  String rootTs = "";
  String askedBy = "";
  String command = "";
  int limitSeconds;
  String state = "";
  boolean told;
  @Nullable String stopBy;
  @Nullable Instant missedAt;
  Instant begunAt = Instant.EPOCH;
  Instant lookedAt = Instant.EPOCH;
  @Nullable Instant overAt;
  @Nullable String how;
  @Nullable Integer code;

  ThreadKey thread() {
    return ThreadKey.parse(threadId);
  }

  boolean isRunning() {
    return state.equals(RUNNING);
  }

  Duration age(Instant now) {
    return Duration.between(begunAt, overAt == null ? now : overAt);
  }

  /// Where a word about it goes.
  Address address() {
    return new Address(thread(), channel, rootTs, rootTs, askedBy);
  }
}
