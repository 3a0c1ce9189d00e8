package dev.gorkie.local.slack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the bytes of files lie: a directory of its own, gone when the workspace closes.
final class FileShelf implements AutoCloseable {
  private final Changes changes;
  private final Ids ids;
  private final Path directory;
  private final Map<String, StoredFile> files = new LinkedHashMap<>();

  FileShelf(Changes changes, Ids ids) {
    this.changes = changes;
    this.ids = ids;
    try {
      this.directory = Files.createTempDirectory("slack-files");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A place for a file whose bytes are still to come.
  StoredFile reserve(String name, long length, Person owner) {
    return changes.change(
        () -> {
          var id = ids.fresh("F");
          var file = new StoredFile(id, name, length, owner, directory.resolve(id), ids.secret());
          files.put(id, file);
          return file;
        });
  }

  /// Takes a person's file from its source to the disk.
  StoredFile take(Upload upload, Person owner) throws IOException {
    var id = ids.fresh("F");
    var content = directory.resolve(id);
    long length;
    try (var in = upload.source().open()) {
      length = Files.copy(in, content);
    }
    return changes.change(
        () -> {
          var file = new StoredFile(id, upload.name(), length, owner, content, ids.secret());
          file.received = true;
          file.completed = true;
          file.foreign = upload.foreign();
          files.put(id, file);
          return file;
        });
  }

  /// A place for bytes that belong to no file yet; what was put there is found again by its name.
  Path aside() {
    return directory.resolve("aside-" + ids.secret());
  }

  Optional<StoredFile> find(String id) {
    return changes.read(() -> Optional.ofNullable(files.get(id)).filter(file -> !file.deleted));
  }

  Optional<StoredFile> awaiting(String secret) {
    return changes.read(
        () ->
            files.values().stream()
                .filter(file -> file.secret.equals(secret) && !file.received)
                .findFirst());
  }

  /// Whether what arrived at the file's place is as long as was announced; otherwise it is thrown away.
  boolean accept(StoredFile file) throws IOException {
    var right = Files.size(file.content) == file.length;
    if (!right) {
      Files.delete(file.content);
    }
    changes.change(() -> file.received = right);
    return right;
  }

  void remove(StoredFile file) {
    changes.change(() -> file.deleted = true);
    try {
      Files.deleteIfExists(file.content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try (var all = Files.walk(directory)) {
      for (var path : List.copyOf(all.sorted(Comparator.reverseOrder()).toList())) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
