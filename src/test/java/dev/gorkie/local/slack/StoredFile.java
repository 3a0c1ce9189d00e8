package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A file somebody uploads or has uploaded; its bytes lie on disk. Touched only under the workspace's lock.
final class StoredFile {
  final String id;
  final String name;
  final long length;
  final Person owner;
  final Path content;
  final String secret;
  final List<Share> shares = new ArrayList<>();
  String title;

  /// All its bytes have arrived.
  boolean received;

  /// It was completed, and may be read.
  boolean completed;

  boolean deleted;

  /// It belongs to another company's workspace: events carry no more than its id, the rest is asked for.
  boolean foreign;

  StoredFile(String id, String name, long length, Person owner, Path content, String secret) {
    this.id = id;
    this.name = name;
    this.title = name;
    this.length = length;
    this.owner = owner;
    this.content = content;
    this.secret = secret;
  }

  /// Where it was shown.
  record Share(Channel channel, String ts, Optional<String> threadTs) {
    JsonObject json() {
      var json = new JsonObject().put("ts", ts).put("channel_name", channel.name());
      threadTs.ifPresent(root -> json.put("thread_ts", root));
      return json;
    }
  }
}
