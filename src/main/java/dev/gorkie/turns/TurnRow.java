package dev.gorkie.turns;

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

  /// What the turn came to, once it has.
  Optional<String> ending() {
    return state.equals("ended") ? Optional.ofNullable(outcome) : Optional.empty();
  }
}
