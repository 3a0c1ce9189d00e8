package dev.gorkie.pi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.sandbox.Sandbox;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/// What Pi has written down of a conversation, on its way out of a machine and into another.
@ApplicationScoped
public class Transcripts {

  /// Compressed, the most that one piece holds.
  public static final int PIECE_BYTES_MAX = 256 * 1024;

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  // The keeper makes a piece of two megabytes and a line; a line has at most 32.
  private static final int UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
  private static final int HEADER_BYTES_MAX = 64 * 1024;
  private static final int VERSION = 3;

  /// Lines of a session file, compressed: so many bytes of it from the first one on.
  ///
  /// @param hash of the file from its beginning to the end of this piece
  /// @param headed whether the session's header stands at its beginning; without one these lines continue others
  /// @param more whether there is another piece already
  public record Piece(
      long first, long bytes, String hash, boolean headed, byte[] gzip, boolean more) {

    public long end() {
      return first + bytes;
    }
  }

  /// What comes after a piece, whose end and hash are given. It begins at 0 when the file is not the one of that piece any
  /// more. Empty when there is nothing new.
  ///
  /// @throws IOException when the keeper does not know, or says what cannot be
  public Optional<Piece> next(
      Sandbox sandbox, String session, long offset, String hash, Duration timeout)
      throws IOException {
    var known = offset == 0 ? "" : " --offset " + offset + " --hash " + hash;
    var command =
        "%s transcript %s --max %d%s".formatted(Keeper.PROGRAM, session, PIECE_BYTES_MAX, known);
    var executed = sandbox.execute(command, timeout);
    if (executed.exitCode() != 0) {
      throw new IOException("The keeper's transcript ended with " + executed.exitCode());
    }
    var answer = Bounds.JSON.readTree(executed.output());
    if (answer.path("missing").asBoolean() || answer.path("bytes").asLong() == 0) {
      return Optional.empty();
    }
    return Optional.of(piece(answer, offset));
  }

  /// What runs in the sandbox can have said this, so it is believed only as far as it can be checked.
  private static Piece piece(JsonNode answer, long offset) throws IOException {
    var piece =
        new Piece(
            answer.path("first").asLong(-1),
            answer.path("bytes").asLong(-1),
            answer.path("hash").asText(),
            answer.path("head").asBoolean(),
            decoded(answer.path("gzip").asText()),
            answer.path("more").asBoolean());
    if ((piece.first() != 0 && piece.first() != offset)
        || piece.bytes() < 0
        || piece.gzip().length > PIECE_BYTES_MAX
        || !HASH.matcher(piece.hash()).matches()) {
      throw new IOException("The keeper's transcript is none");
    }
    check(piece.gzip());
    return piece;
  }

  private static byte[] decoded(String gzip) throws IOException {
    try {
      return Base64.getDecoder().decode(gzip);
    } catch (IllegalArgumentException e) {
      throw new IOException("The keeper's transcript is no Base64", e);
    }
  }

  /// Whole lines, and not so many that they could be meant to fill our memory or disk.
  private static void check(byte[] gzip) throws IOException {
    try (var text = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      var block = new byte[64 * 1024];
      var last = '\n';
      long bytes = 0;
      for (var read = text.read(block); read > 0; read = text.read(block)) {
        bytes += read;
        last = (char) block[read - 1];
        if (bytes > UNPACKED_BYTES_MAX) {
          throw new IOException("A transcript's piece is larger than any can be");
        }
      }
      if (last != '\n') {
        throw new IOException("A transcript's piece ends within a line");
      }
    }
  }

  /// Puts a conversation into the sandbox, as a session that Pi finds there under this id. Pi must not run on it yet.
  ///
  /// @param transcript as it was copied, unpacked; the header that it begins with is replaced
  public void put(Sandbox sandbox, String session, InputStream transcript) throws IOException {
    var first = firstLine(transcript);
    var header = header(first);
    var ours = new LinkedHashMap<String, Object>();
    ours.put("type", "session");
    ours.put("version", header.map(it -> it.path("version").asInt(VERSION)).orElse(VERSION));
    ours.put("id", session);
    ours.put("timestamp", Instant.now().toString());
    // Pi looks for sessions of its own work directory only.
    ours.put("cwd", sandbox.workDirectory());
    var beginning = new ByteArrayOutputStream();
    beginning.writeBytes((Fold.line(ours) + "\n").getBytes(StandardCharsets.UTF_8));
    if (header.isEmpty()) {
      beginning.writeBytes(first);
    }
    var name = sandbox.homeDirectory() + "/.gorkie/sessions/restored_" + session + ".jsonl";
    sandbox.upload(
        name,
        new SequenceInputStream(new ByteArrayInputStream(beginning.toByteArray()), transcript));
  }

  /// With its end, unless it is longer than any header; then a part of it.
  private static byte[] firstLine(InputStream transcript) throws IOException {
    var line = new ByteArrayOutputStream();
    for (var next = transcript.read(); next >= 0; next = transcript.read()) {
      line.write(next);
      if (next == '\n' || line.size() == HEADER_BYTES_MAX) {
        break;
      }
    }
    return line.toByteArray();
  }

  private static Optional<JsonNode> header(byte[] line) {
    try {
      return Optional.of(Bounds.JSON.readTree(line))
          .filter(header -> header.path("type").asText().equals("session"));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
