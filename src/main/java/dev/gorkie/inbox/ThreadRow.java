package dev.gorkie.inbox;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A conversation and who holds it.
@Entity
@Table(name = "threads")
class ThreadRow {

  @Id String threadId = "";
  String team = "";
  String channel = "";
  String rootTs = "";
  boolean follows;
  @Nullable String leaseOwner;
  @Nullable Instant leaseUntil;
  long fence;
  Instant createdAt = Instant.EPOCH;
  Instant updatedAt = Instant.EPOCH;
}
