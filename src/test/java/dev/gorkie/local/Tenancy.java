package dev.gorkie.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A directory that one world has to itself. The kernel ends the tenancy of a world that was killed.
final class Tenancy implements AutoCloseable {

  private final FileChannel file;

  private Tenancy(FileChannel file) {
    this.file = file;
  }

  static Tenancy of(Path directory) throws IOException {
    var file =
        FileChannel.open(
            directory.resolve("tenant"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(file).isEmpty()) {
      file.close();
      throw new IllegalStateException(
          "A world runs in %s already. End that one, or start this one in another checkout with PORT=4601."
              .formatted(directory));
    }
    return new Tenancy(file);
  }

  private static Optional<FileLock> lock(FileChannel file) throws IOException {
    try {
      return Optional.ofNullable(file.tryLock());
    } catch (OverlappingFileLockException _) {
      return Optional.empty(); // it is held in this very process
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
