package dev.gorkie;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// The files of somebody who goes on working with them: what goes meanwhile was not there.
public final class LiveFiles {

  private LiveFiles() {}

  /// All regular ones below this folder.
  public static List<Path> below(Path top) throws IOException {
    var files = new ArrayList<Path>();
    FileVisitor<Path> collecting =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(top)) {
              throw e;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        };
    Files.walkFileTree(top, collecting);
    return files;
  }

  /// Empty of one that has gone.
  public static byte[] read(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException _) {
      return new byte[0];
    }
  }
}
