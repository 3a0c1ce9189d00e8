package dev.gorkie.turns;

import dev.gorkie.sandbox.SandboxId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.Formula;
import org.jspecify.annotations.Nullable;

/// One run for one thread, as far as it has come.
@Entity
@Table(name = "turns")
class TurnRow {

  @Id long turnId;
  String threadId = "";
  long fence;
  String state = "";
  int hops;
  int suspensions;
  @Nullable Long firstOffset;
  @Nullable String begunOn;
  @Nullable Long lastOffset;
  @Nullable String cardTs;
  @Nullable String answerTs;
  @Nullable String outcome;
  long steps;
  long tokens;
  BigDecimal cost = BigDecimal.ZERO;
  boolean unended;

  @Column(insertable = false, updatable = false)
  @Nullable Integer seconds;

  /// What the thread's other turns have cost.
  @Formula(
      "(select coalesce(sum(other.cost), 0) from turns other where other.thread_id = thread_id and other.turn_id <> turn_id)")
  BigDecimal costBefore = BigDecimal.ZERO;

  /// The thread's last turn that is over and that the agent may still be at.
  @Formula(
      "(select max(other.turn_id) from turns other where other.thread_id = thread_id and other.turn_id <> turn_id and other.unended)")
  @Nullable Long unendedBefore;

  Instant startedAt = Instant.EPOCH;
  @Nullable Instant endedAt;

  /// From where on its part of the journal is read, on a machine on which the turns before have read up to there.
  long firstOn(SandboxId machine, long restedAt) {
    return firstOffset == null || !isBegunOn(machine) ? restedAt : firstOffset;
  }

  /// Whether the agent can know of it on this machine. An older deployment did not write down on which it began.
  boolean isBegunOn(SandboxId machine) {
    return begunOn == null || begunOn.equals(machine.value());
  }

  /// What the turn came to, once it has.
  Optional<String> ending() {
    return state.equals("ended") ? Optional.ofNullable(outcome) : Optional.empty();
  }
}
