package dev.gorkie.pi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The way of a journal through the client, from the pieces in which a terminal brings it to what happened.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RecordBenchmark {

  /// Names the folder in which the journals lie.
  public static final String FOLDER = "gorkie.journals";

  // A terminal's pieces are as large as what was read from its kernel at once.
  private static final int PIECE_BYTES = 4 * 1024;
  private static final String COMMAND = "m1";

  @Param({"transcripts", "answer", "longer", "output"})
  public String journal = "";

  private List<byte[]> pieces = List.of();

  @Setup
  public void read() throws IOException {
    var folder = Path.of(Objects.requireNonNull(System.getProperty(FOLDER)));
    var bytes = Files.readAllBytes(folder.resolve(journal + ".journal"));
    pieces = new ArrayList<>();
    for (var from = 0; from < bytes.length; from += PIECE_BYTES) {
      pieces.add(Arrays.copyOfRange(bytes, from, Math.min(from + PIECE_BYTES, bytes.length)));
    }
  }

  @Benchmark
  public int told() {
    var lines = new Journal(0);
    var fold = new Fold();
    fold.expect(COMMAND);
    var told = 0;
    for (var piece : pieces) {
      lines.feed(piece);
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        if (line.get() instanceof Journal.Line.Record(var json, _)
            && !(fold.take(json) instanceof PiEvent.Unknown)) {
          told++;
        }
      }
    }
    return told;
  }
}
