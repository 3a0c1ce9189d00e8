package dev.gorkie.sessions;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import dev.gorkie.pi.Transcripts.Piece;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.util.List;
import java.util.Optional;

/// The table of transcripts. Rows are added and never changed; all of a thread's go when it is to forget.
@ApplicationScoped
class TranscriptRows {

  private final Statements statements;

  @Inject
  TranscriptRows(Statements statements) {
    this.statements = statements;
  }

  /// Up to where a session's file has been copied.
  ///
  /// @param total the bytes of all its pieces
  record Copied(int seq, long end, String hash, long total) {

    static final Copied NOTHING = new Copied(0, 0, "", 0);
  }

  Copied last(ThreadKey thread, int session) {
    List<?> found =
        of(
                """
                select seq, first_byte + bytes, sha256, sum(octet_length(content)) over ()
                from transcripts
                where thread_id = :thread and session_number = :session
                order by seq desc limit 1
                """,
                thread,
                session)
            .getResultList();
    return found.isEmpty() ? Copied.NOTHING : copied((Object[]) found.getFirst());
  }

  private static Copied copied(Object[] row) {
    return new Copied(
        (Integer) row[0],
        ((Number) row[1]).longValue(),
        (String) row[2],
        ((Number) row[3]).longValue());
  }

  void remove(ThreadKey thread) {
    statements
        .of("delete from transcripts where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  /// False when somebody else has added the piece of this number, or has the thread.
  boolean add(ThreadKey thread, long fence, int session, int seq, Piece piece) {
    return 1
        == of(
                """
                insert into transcripts
                  (thread_id, session_number, seq, first_byte, bytes, sha256, headed, content)
                select :thread, :session, :seq, :first, :bytes, :hash, :headed, :content
                where holds(:thread, :fence)
                on conflict do nothing
                """,
                thread,
                session)
            .setParameter("fence", fence)
            .setParameter("seq", seq)
            .setParameter("first", piece.first())
            .setParameter("bytes", piece.bytes())
            .setParameter("hash", piece.hash())
            .setParameter("headed", piece.headed())
            .setParameter("content", piece.gzip())
            .executeUpdate();
  }

  /// The last session, up to this one, of which there is a copy.
  Optional<Integer> newest(ThreadKey thread, int session) {
    return numbers(
            """
            select session_number from transcripts
            where thread_id = :thread and session_number <= :session
            order by session_number desc limit 1
            """,
            thread,
            session)
        .stream()
        .findFirst();
  }

  /// The pieces that together are the conversation, in their order.
  List<Integer> pieces(ThreadKey thread, int session) {
    return numbers(
        """
        select seq from transcripts
        where thread_id = :thread and session_number = :session
          and seq >= (select coalesce(max(seq) filter (where headed), min(seq)) from transcripts
                      where thread_id = :thread and session_number = :session)
        order by seq
        """,
        thread,
        session);
  }

  byte[] content(ThreadKey thread, int session, int seq) {
    return (byte[])
        of(
                """
                select content from transcripts
                where thread_id = :thread and session_number = :session and seq = :seq
                """,
                thread,
                session)
            .setParameter("seq", seq)
            .getSingleResult();
  }

  private Query of(String sql, ThreadKey thread, int session) {
    return statements
        .of(sql)
        .setParameter("thread", thread.toString())
        .setParameter("session", session);
  }

  private List<Integer> numbers(String sql, ThreadKey thread, int session) {
    return ((List<?>) of(sql, thread, session).getResultList())
        .stream().map(number -> (Integer) number).toList();
  }
}
