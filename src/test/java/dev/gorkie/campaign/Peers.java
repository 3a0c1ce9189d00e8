package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Which process is at the other end of a connection on this machine, as the kernel tells it.
final class Peers {

  /// Nobody's number.
  static final long UNKNOWN = -1;

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp"));

  private Peers() {}

  /// The one of these processes that connected from its port to ours.
  static long of(int itsPort, int ourPort, List<Long> processes) throws IOException {
    if (processes.isEmpty()) {
      return UNKNOWN; // the kernel's tables are long where many connections have just ended
    }
    var inode = inode(itsPort, ourPort);
    if (inode.isEmpty()) {
      return UNKNOWN;
    }
    var socket = "socket:[" + inode.get() + "]";
    for (var pid : processes) {
      if (holds(pid, socket)) {
        return pid;
      }
    }
    return UNKNOWN;
  }

  private static Optional<String> inode(int from, int to) throws IOException {
    var local = "%04X".formatted(from);
    var remote = "%04X".formatted(to);
    for (var table : TABLES) {
      try (var lines = Files.lines(table)) {
        var found =
            lines
                .map(line -> line.strip().split("\\s+"))
                .filter(word -> word.length > 9)
                .filter(word -> word[1].endsWith(":" + local) && word[2].endsWith(":" + remote))
                .map(word -> word[9])
                .findFirst();
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static boolean holds(long pid, String socket) {
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (var descriptor : descriptors) {
        if (pointsTo(descriptor, socket)) {
          return true;
        }
      }
    } catch (IOException _) {
      return false; // it has ended meanwhile
    }
    return false;
  }

  private static boolean pointsTo(Path descriptor, String socket) {
    try {
      return Objects.toString(Files.readSymbolicLink(descriptor)).equals(socket);
    } catch (IOException _) {
      return false; // closed meanwhile
    }
  }
}
