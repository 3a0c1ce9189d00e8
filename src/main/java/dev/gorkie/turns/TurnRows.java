package dev.gorkie.turns;

import dev.gorkie.ThreadKey;
import dev.gorkie.inbox.Claim;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// The table of turns. Each write names the fence it is made under.
@ApplicationScoped
class TurnRows implements PanacheRepository<TurnRow> {

  /// The turn's row, its first or the one that an earlier worker left; empty when another worker has taken over already.
  Optional<TurnRow> begin(Claim claim) {
    var begun =
        getEntityManager()
            .createNativeQuery(
                """
                insert into turns (turn_id, thread_id, fence, state, team, channel, asked_by)
                select :turn, :thread, :fence, 'running', :team, :channel, :user where holds(:thread, :fence)
                on conflict (turn_id) do update set fence = excluded.fence where turns.fence < excluded.fence
                """)
            .setParameter("turn", claim.turn())
            .setParameter("thread", claim.thread().toString())
            .setParameter("fence", claim.fence())
            .setParameter("team", claim.thread().team())
            .setParameter("channel", claim.thread().channel())
            .setParameter("user", claim.messages().getFirst().event().user())
            .executeUpdate();
    return begun == 1 ? findByIdOptional(claim.turn()) : Optional.empty();
  }

  /// The turn's part of the journal begins here. On the machine on which it has begun it stays where it was.
  boolean keepFirstOffset(Claim claim, SandboxId machine, long offset) {
    return 1
        == update(
            """
            firstOffset = ?1, begunOn = ?2
            where turnId = ?3 and fence = ?4 and (firstOffset is null or begunOn is null or begunOn <> ?2)
              and function('holds' as Boolean, threadId, ?4)
            """,
            offset,
            machine.value(),
            claim.turn(),
            claim.fence());
  }

  boolean handOver(Claim claim, long offset) {
    return change(claim, "hops = hops + 1, lastOffset = ?1", offset);
  }

  /// Another worker waits on. Like a wait for a person, this is neither work nor a failed attempt.
  boolean waitOn(Claim claim) {
    return change(claim, "suspensions = suspensions + ?1", 1);
  }

  boolean end(Claim claim, Ending ending) {
    return 1
        == update(
            """
            update TurnRow t
            set t.state = 'ended', t.outcome = ?1, t.lastOffset = ?2, t.steps = ?3, t.tokens = ?4, t.cost = ?5,
                t.unended = ?6, t.endedAt = instant
            where t.turnId = ?7 and t.fence = ?8 and function('holds' as Boolean, t.threadId, ?8)
            """,
            ending.outcome(),
            ending.offset(),
            ending.usage().steps(),
            ending.usage().tokens(),
            BigDecimal.valueOf(ending.usage().cost()),
            ending.unended(),
            claim.turn(),
            claim.fence());
  }

  /// The agent has been told to end this turn, and has heard it.
  boolean agentHasEnded(Claim claim, long turn) {
    return 0
        < update(
            """
            update TurnRow t set t.unended = false
            where t.threadId = ?1 and t.turnId <= ?2 and t.unended and function('holds' as Boolean, t.threadId, ?3)
            """,
            claim.thread().toString(),
            turn,
            claim.fence());
  }

  /// With what was asked in them.
  void remove(ThreadKey thread) {
    for (var table : List.of("approvals", "turns")) {
      getEntityManager()
          .createNativeQuery("delete from " + table + " where thread_id = :thread")
          .setParameter("thread", thread.toString())
          .executeUpdate();
    }
  }

  private boolean change(Claim claim, String change, Object value) {
    return 1
        == update(
            change
                + " where turnId = ?2 and fence = ?3 and function('holds' as Boolean, threadId, ?3)",
            value,
            claim.turn(),
            claim.fence());
  }
}
