package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.pi.Transcripts;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jboss.logging.Logger;

/// The copy of what was said, which outlives the machine it was said on.
@ApplicationScoped
class Mirror {

  private static final Logger LOG = Logger.getLogger(Mirror.class);

  // A turn adds one piece, in some tenths of a second. What a slow machine leaves over the next
  // turn copies.
  private static final Duration COPIED_WITHIN = Duration.ofSeconds(20);

  // Some hundred megabytes of talk. What runs in a sandbox can make the file as long as it likes.
  private static final long COPY_BYTES_MAX = 64 * 1024 * 1024;

  private final Database database;
  private final TranscriptRows rows;
  private final Transcripts transcripts;

  @Inject
  Mirror(Database database, TranscriptRows rows, Transcripts transcripts) {
    this.database = database;
    this.rows = rows;
    this.transcripts = transcripts;
  }

  /// Copies what is new. The turn has its answer already, so whatever goes wrong here is for the log and the next turn.
  void copy(Names names, long fence, Sandbox sandbox) {
    try {
      copy(names, fence, sandbox, Deadline.in(COPIED_WITHIN));
    } catch (IOException | RuntimeException e) {
      LOG.warnf(e, "Thread %s: what was said is not copied; the next turn tries", names.thread());
    }
  }

  private void copy(Names names, long fence, Sandbox sandbox, Deadline deadline)
      throws IOException {
    while (!deadline.isOver()) {
      var last = database.transaction(() -> rows.last(names.thread(), names.sessionNumber()));
      if (last.total() > COPY_BYTES_MAX) {
        LOG.warnf("Thread %s: too much was said to be copied", names.thread());
        return;
      }
      var next =
          transcripts.next(sandbox, names.session(), last.end(), last.hash(), deadline.left());
      if (next.isEmpty()) {
        return;
      }
      var piece = next.get();
      if (piece.first() < last.end()) {
        LOG.infof("Thread %s: Pi has written its session anew", names.thread());
      }
      var added =
          database.transaction(
              () -> rows.add(names.thread(), fence, names.sessionNumber(), last.seq() + 1, piece));
      if (!added || !piece.more()) {
        return;
      }
    }
  }

  /// The session whose copy is the best there is of this one.
  Optional<Integer> source(Names names) {
    return rows.newest(names.thread(), names.sessionNumber());
  }

  void forget(ThreadKey thread) {
    rows.remove(thread);
  }

  /// Whether something of this session itself was copied.
  boolean isThere(Names names) {
    return source(names).filter(number -> number == names.sessionNumber()).isPresent();
  }

  /// The same machine with the last session of which there is a copy.
  Names newest(Names names) {
    return names.inSession(
        rows.newest(names.thread(), Integer.MAX_VALUE).orElse(names.sessionNumber()));
  }

  /// Whether the copy is there now, as the session of these names; Pi must not run on it yet.
  ///
  /// @throws Failure when the machine cannot be reached, so that it is to be tried again
  boolean restore(int from, Names names, Sandbox sandbox) {
    var thread = names.thread();
    try (var transcript = transcript(thread, from)) {
      transcripts.put(sandbox, names.session(), transcript);
      LOG.infof(
          "Thread %s: session %s begins with what was said in number %d",
          thread, names.session(), from);
      return true;
    } catch (Failure failure) {
      if (failure.code() == SandboxFailure.REFUSED) {
        LOG.warnf(failure, "Thread %s: what was said cannot be put back", thread);
        return false;
      }
      throw failure;
    } catch (IOException e) {
      LOG.warnf(e, "Thread %s: the copy of what was said cannot be read", thread);
      return false;
    }
  }

  /// One piece after the other, never all in memory.
  private InputStream transcript(ThreadKey thread, int session) {
    var pieces = database.transaction(() -> rows.pieces(thread, session));
    return new SequenceInputStream(
        Collections.enumeration(
            pieces.stream().<InputStream>map(seq -> new Piece(thread, session, seq)).toList()));
  }

  /// A piece that is fetched when it is read.
  private final class Piece extends InputStream {

    private final ThreadKey thread;
    private final int session;
    private final int seq;
    private Optional<InputStream> open = Optional.empty();

    private Piece(ThreadKey thread, int session, int seq) {
      this.thread = thread;
      this.session = session;
      this.seq = seq;
    }

    private InputStream content() throws IOException {
      if (open.isEmpty()) {
        var gzip = database.transaction(() -> rows.content(thread, session, seq));
        open = Optional.of(new GZIPInputStream(new ByteArrayInputStream(gzip)));
      }
      return open.get();
    }

    @Override
    public int read() throws IOException {
      return content().read();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      return content().read(into, from, length);
    }

    @Override
    public void close() throws IOException {
      if (open.isPresent()) {
        open.get().close();
        open = Optional.empty();
      }
    }
  }
}
