package dev.gorkie.sessions;

import dev.gorkie.sandbox.SandboxId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A thread's sandbox and its conversation with Pi. Read through Hibernate, written by conditional updates only.
@Entity
@Table(name = "sandbox_sessions")
class SessionRow {

  @Id String threadId = "";
  @Nullable String sandboxId;
  String sandboxName = "";
  int generation;
  String sessionId = "";
  int sessionNumber;
  String status = "";
  @Nullable String bootId;
  long journalOffset;
  long fence;
  @Nullable Instant pausedAt;
  @Nullable Instant resumedAt;
  @Nullable Instant destroyedAt;
  Instant lastActivityAt = Instant.EPOCH;
  Instant createdAt = Instant.EPOCH;
  Instant updatedAt = Instant.EPOCH;
  int resumeFailCount;
  @Nullable String lastError;
  @Nullable Instant putAwayAt;
  @Nullable Instant roomWantedAt;
  @Nullable Integer seedFrom;
  @Nullable Instant untoldFilesOf;
  @Nullable String untoldMemory;
  boolean untoldCarried;

  Optional<SandboxId> sandbox() {
    return Optional.ofNullable(sandboxId).map(SandboxId::new);
  }

  boolean is(Status one) {
    return status.equals(one.wire());
  }

  /// Whether nothing that is written down would change by this sandbox being found at work.
  boolean isWellWith(SandboxId found) {
    return is(Status.ACTIVE)
        && sandbox().equals(Optional.of(found))
        && resumeFailCount == 0
        && lastError == null
        && putAwayAt == null
        && roomWantedAt == null;
  }

  Optional<News> news() {
    return untoldMemory == null
        ? Optional.empty()
        : Optional.of(
            new News(
                Optional.ofNullable(untoldFilesOf),
                untoldCarried,
                untoldMemory.equals(Memory.RESTORED.wire())));
  }
}
