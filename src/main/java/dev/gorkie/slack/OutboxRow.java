package dev.gorkie.slack;

import dev.gorkie.ThreadKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A thing to say, and what became of it. Read through Hibernate, written by conditional updates only.
@Entity
@Table(name = "outbox")
class OutboxRow {

  static final String PENDING = "pending";
  static final String SENT = "sent";
  static final String CONFIRMED = "confirmed";
  static final String AMBIGUOUS = "ambiguous";
  static final String REFUSED = "refused";

  static final String CARD = "card";
  static final String TEXT = "text";
  static final String FILE = "file";
  static final String LIST = "list";

  @Id long id;
  String subject = "";
  String part = "";
  String threadId = "";
  String team = "";
  String channel = "";
  String threadTs = "";
  String sinceTs = "";
  String kind = "";
  String state = "";
  String title = "";
  @Nullable String body;
  String hash = "";
  @Nullable String ts;
  @Nullable String fileId;
  long fence;
  int attempts;
  boolean leftOver;
  boolean streams;
  Instant createdAt = Instant.EPOCH;
  Instant updatedAt = Instant.EPOCH;
  @Nullable Instant confirmedAt;

  boolean is(String other) {
    return state.equals(other);
  }

  Mark mark() {
    return new Mark(subject, part);
  }

  Optional<String> body() {
    return Optional.ofNullable(body);
  }

  Optional<String> ts() {
    return Optional.ofNullable(ts);
  }

  Optional<String> fileId() {
    return Optional.ofNullable(fileId);
  }

  /// Whether it was begun as a stream and nobody heard where.
  boolean isAstray() {
    return streams && ts == null && (is(SENT) || is(AMBIGUOUS));
  }

  /// Whether it was begun and came to nothing.
  boolean isToGo() {
    return streams && body == null && !is(CONFIRMED);
  }

  /// Where it is said; whose question it answers is of no interest any more.
  Address address() {
    return new Address(ThreadKey.parse(threadId), channel, threadTs, sinceTs, "");
  }
}
