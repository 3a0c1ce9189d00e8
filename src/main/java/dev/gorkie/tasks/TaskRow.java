package dev.gorkie.tasks;

import dev.gorkie.ThreadKey;
import dev.gorkie.slack.Address;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Something that is to be done at a time. Read through Hibernate, written by conditional updates only.
@Entity
@Table(name = "tasks")
class TaskRow {

  static final String ACTIVE = "active";
  static final String ENDED = "ended";
  static final String DONE = "done";
  static final String CANCELLED = "cancelled";
  static final String NO_ACCESS = "no_access";

  @Id String taskId = "";
  String threadId = "";
  String askedAs = "";
  String app = "";
  String team = "";
  String channel = "";
  String rootTs = "";
  String owner = "";
  String what = "";
  boolean plain;
  @Nullable String cron;
  String zone = "";
  Instant dueAt = Instant.EPOCH;
  @Nullable Instant triedAt;
  int times;
  String state = "";
  @Nullable String endedAs;
  Instant createdAt = Instant.EPOCH;
  @Nullable Instant endedAt;

  ThreadKey thread() {
    return ThreadKey.parse(threadId);
  }

  boolean isActive() {
    return state.equals(ACTIVE);
  }

  Optional<Round> round() {
    return Optional.ofNullable(cron).flatMap(fields -> Round.read(fields, zone()));
  }

  ZoneId zone() {
    return ZoneId.of(zone);
  }

  Address address() {
    return new Address(thread(), channel, rootTs, rootTs, owner);
  }
}
