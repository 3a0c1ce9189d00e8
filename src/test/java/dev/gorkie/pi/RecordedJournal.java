package dev.gorkie.pi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A journal that the real keeper wrote, and what its attach program says of it from the beginning of each record on.
///
/// Nobody attaches anywhere else, since a client goes on from the last record that it has heard to the end.
///
/// @param bytes the journal as the keeper left it
/// @param attached by offset: a note, then the journal from there on
record RecordedJournal(byte[] bytes, Map<Long, byte[]> attached) {

  /// What comes before it is nobody's.
  static final String FIRST_COMMAND = "m1";

  private static final String FENCE = "2";

  // A start of the attach program waits for the disk as long as it computes.
  private static final int AT_ONCE = 2 * Runtime.getRuntime().availableProcessors();

  static RecordedJournal record() throws Exception {
    var said = Image.run(Path.of("src/test/sandbox/journal.mjs"));
    var home = Path.of(new String(said, StandardCharsets.UTF_8).strip());
    try {
      return attach(home);
    } finally {
      delete(home);
    }
  }

  int end() {
    return bytes.length;
  }

  /// How much comes before the journal.
  int noteBytes() {
    return Objects.requireNonNull(attached.get(0L)).length - end();
  }

  private static RecordedJournal attach(Path home) throws Exception {
    var journal = Files.readAllBytes(home.resolve(".gorkie/journal/0000000000000000"));
    var attached = new HashMap<Long, Future<byte[]>>();
    try (var programs = Executors.newFixedThreadPool(AT_ONCE)) {
      for (var offset = 0; offset < journal.length; offset++) {
        if (offset == 0 || journal[offset - 1] == '\n') {
          var from = offset;
          Callable<byte[]> attaching = () -> attach(home, from, journal.length - from);
          attached.put((long) offset, programs.submit(attaching));
        }
      }
    }
    var done = new HashMap<Long, byte[]>();
    attached.forEach((offset, bytes) -> done.put(offset, bytes.resultNow()));
    return new RecordedJournal(journal, done);
  }

  /// All that the attach program writes until it has nothing more.
  private static byte[] attach(Path home, int offset, int journalBytes)
      throws IOException, InterruptedException {
    var keeper = Image.folder().resolve("bin").resolve("keeper").toString();
    var builder =
        new ProcessBuilder(keeper, "attach", "--fence", FENCE, "--offset", Integer.toString(offset))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("HOME", home.toString());
    var program = builder.start();
    try (var input = program.getOutputStream();
        var output = program.getInputStream()) {
      var said = new ByteArrayOutputStream();
      for (var next = output.read(); next >= 0; next = output.read()) {
        said.write(next);
        if (next == '\n') {
          break;
        }
      }
      said.writeBytes(output.readNBytes(journalBytes));
      return said.toByteArray();
    } finally {
      program.waitFor();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
