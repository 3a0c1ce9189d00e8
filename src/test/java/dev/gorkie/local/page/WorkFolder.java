package dev.gorkie.local.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Set;

/// The files of a thread's machine, as one would see them over its shoulder.
record WorkFolder(Path folder) {

  private static final int FILES_MAX = 200;
  private static final int DEPTH_MAX = 8;
  private static final int PEEK_BYTES_MAX = 64 * 1024;
  private static final Set<String> NOT_WORTH_IT = Set.of("node_modules", ".git");

  JsonArray files() throws IOException {
    var found = new ArrayList<JsonObject>();
    if (Files.isDirectory(folder)) {
      Files.walkFileTree(folder, Set.of(), DEPTH_MAX, new Finder(folder, found));
    }
    found.sort(Comparator.comparing(file -> file.getString("path")));
    return new JsonArray(found);
  }

  /// The beginning of one of them. What runs there may have put links into it that lead elsewhere.
  byte[] peek(String path) throws IOException {
    var file = folder.resolve(path).normalize();
    var isInside =
        file.startsWith(folder)
            && Files.isRegularFile(file)
            && file.toRealPath().startsWith(folder.toRealPath());
    if (!isInside) {
      throw new IllegalArgumentException("There is no file " + path);
    }
    try (var content = Files.newInputStream(file)) {
      return content.readNBytes(PEEK_BYTES_MAX);
    }
  }

  private static final class Finder extends SimpleFileVisitor<Path> {

    private final Path folder;
    private final ArrayList<JsonObject> found;

    Finder(Path folder, ArrayList<JsonObject> found) {
      this.folder = folder;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      var name = path.getFileName();
      return name != null && NOT_WORTH_IT.contains(name.toString())
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        found.add(
            new JsonObject()
                .put("path", folder.relativize(path).toString())
                .put("size", attributes.size())
                .put("changed", attributes.lastModifiedTime().toInstant().toString()));
      }
      return found.size() < FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    // It was removed while we looked.
    @Override
    public FileVisitResult visitFileFailed(Path path, IOException gone) {
      return FileVisitResult.CONTINUE;
    }
  }
}
