package dev.gorkie.inbox;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A delivery that counts.
@Entity
@Table(name = "inbox")
class InboxRow {

  @Id long id;
  String threadId = "";
  String app = "";
  String team = "";
  String eventId = "";
  String channel = "";
  String ts = "";
  String answerTs = "";
  String kind = "";
  String author = "";
  int files;
  byte[] payload = {};
  @Nullable Long turnId;
  boolean steers;
  String editedTs = "";
  int attempts;
  Instant acceptedAt = Instant.EPOCH;
  @Nullable Instant givenAt;
  @Nullable Instant settledAt;
  @Nullable String settledAs;
}
