package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.files.Files;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.logbook.Trail;
import dev.gorkie.logbook.Trail.Mark;
import dev.gorkie.policy.Policy;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.previews.Previews;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.Glances;
import dev.gorkie.slack.People;
import dev.gorkie.slack.Replies;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.webhook.Webhook;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/// Runs turns: one at a time in a thread, one after the other until nothing waits.
@ApplicationScoped
public class Turns {

  private static final Logger LOG = Logger.getLogger(Turns.class);

  private final Inbox inbox;
  private final Handoff handoff;
  private final Turn.Rooms rooms;

  @Inject
  Turns(
      Inbox inbox,
      Handoff handoff,
      Database database,
      TurnRows rows,
      Sessions sessions,
      Files files,
      Replies replies,
      People people,
      Preferences preferences,
      Spending spending,
      Admission admission,
      Approvals approvals,
      Conversations conversations,
      Policy policy,
      Glances glances,
      Logbook logbook,
      Webhook webhook,
      Jobs jobs,
      Tasks tasks,
      Previews previews,
      TurnSettings settings) {
    this.inbox = inbox;
    this.handoff = handoff;
    this.rooms =
        new Turn.Rooms(
            database,
            rows,
            sessions,
            replies,
            new Asking.Rooms(
                files,
                people,
                conversations,
                new Outlook(glances, conversations),
                new Overheard.Limits(settings.comesLateAfter(), settings.onItsWayFor())),
            preferences,
            spending,
            admission,
            new Gate.Rooms(approvals, replies, people),
            new HostTools.Rooms(policy, conversations, people, files, inbox, jobs, tasks, previews),
            logbook,
            webhook,
            settings);
  }

  /// What turns of this thread there were is forgotten. Only inside a transaction of the caller's.
  public void forget(ThreadKey thread) {
    rooms.rows().remove(thread);
  }

  /// Returns when nothing waits in the thread, another has it or stands in line for it here, or time is up.
  public void run(ThreadKey thread, Deadline deadline) throws InterruptedException {
    // Begun before the claim, whose heartbeat is a part of the work.
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.THREAD, thread);
      while (!deadline.isOver()) {
        var claimed = inbox.claim(thread, deadline);
        if (claimed.isPresent() && !run(claimed.get(), deadline)) {
          break;
        }
        if (claimed.isEmpty() && !deadline.isOver()) {
          return;
        }
      }
      // Whoever stood in line until time was up has kept others from standing there.
      handoff.wake(thread);
    }
  }

  /// Whether the turn came to its end; otherwise somebody has to go on with it.
  private boolean run(Claim claim, Deadline deadline) throws InterruptedException {
    Trail.mark(Mark.TURN, claim.turn());
    Trail.mark(Mark.FENCE, claim.fence());
    try (claim) {
      LOG.infof(
          "Turn %d: %d messages of thread %s, fence %d, attempt %d",
          claim.turn(), claim.messages().size(), claim.thread(), claim.fence(), claim.attempts());
      return run(new Turn(claim, rooms, deadline), claim);
    } catch (LeaseLost lost) {
      LOG.warnf("Another worker has gone on: %s", lost.getMessage());
      return true;
    }
  }

  private static boolean run(Turn turn, Claim claim) throws InterruptedException {
    try {
      return turn.run();
    } catch (RuntimeException e) {
      if (Database.isLost(e)) {
        claim.forgive();
      }
      throw e;
    }
  }
}
