package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// A message as it stands now. Touched only under the workspace's lock.
final class Message {
  final Channel channel;
  final String ts;
  final Optional<String> threadTs;
  final Person author;
  final List<StoredFile> files;

  /// Whom alone it is shown to, for one that is ephemeral.
  final Optional<Person> onlyFor;

  final SequencedMap<String, SequencedSet<String>> reactions = new LinkedHashMap<>();
  String text;
  JsonArray blocks;
  Optional<JsonObject> metadata;
  Optional<String> editedTs = Optional.empty();

  /// An edit of the app's with blocks changes the message without marking it.
  boolean markedEdited;

  /// What it is, or was, as long as it was being written.
  Optional<Stream> stream = Optional.empty();

  int edits;

  /// Its author removed it while it had replies: the place stays, the words are gone.
  boolean tombstone;

  Message(
      Channel channel,
      String ts,
      Optional<String> threadTs,
      Person author,
      Optional<Person> onlyFor,
      Draft draft) {
    this.channel = channel;
    this.ts = ts;
    this.threadTs = threadTs.filter(root -> !root.equals(ts));
    this.author = author;
    this.onlyFor = onlyFor;
    this.text = draft.text();
    this.blocks = draft.blocks();
    this.metadata = draft.metadata();
    this.files = new ArrayList<>(draft.files());
  }

  String rootTs() {
    return threadTs.orElse(ts);
  }

  boolean isReply() {
    return threadTs.isPresent();
  }

  boolean react(String name, Person by) {
    return reactions.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(by.id());
  }

  boolean unreact(String name, Person by) {
    var who = reactions.getOrDefault(name, new LinkedHashSet<>());
    var had = who.remove(by.id());
    if (who.isEmpty()) {
      reactions.remove(name);
    }
    return had;
  }

  /// What a message says, before it is one.
  record Draft(
      String text, JsonArray blocks, Optional<JsonObject> metadata, List<StoredFile> files) {
    static Draft of(String text, JsonArray blocks) {
      return new Draft(text, blocks, Optional.empty(), List.of());
    }
  }
}
