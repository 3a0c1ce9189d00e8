package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.pi.Agents;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/// Opens what a thread owns, whatever state it was left in, and looks after it while nobody does.
@ApplicationScoped
public class Sessions {

  // Daytona's words for machines whose processes have ended.
  private static final Set<String> OFF = Set.of("stopped", "archiving", "archived");
  private static final Logger LOG = Logger.getLogger(Sessions.class);

  private static final String STORY =
      """
      with own as (select * from sandbox_sessions where thread_id = ?)
      select created_at, 'the session is begun' from own
      union all
      select paused_at, format('sandbox %s is put to sleep', sandbox_id) from own where paused_at is not null
      union all
      select put_away_at, format('sandbox %s is put away', sandbox_id) from own where put_away_at is not null
      union all
      select resumed_at, format('sandbox %s is woken', sandbox_id) from own where resumed_at is not null
      union all
      select destroyed_at, format('the sandbox before generation %s is lost or left', generation)
      from own where destroyed_at is not null
      union all
      select t.copied_at, format('what was said is copied: session %s, %s bytes', t.session_number, t.bytes)
      from transcripts t where t.thread_id in (select thread_id from own)
      union all
      select last_activity_at,
        format('sandbox %s (%s, generation %s) is last used: %s, session %s, journal %s, fence %s, %s failures to wake%s',
          coalesce(sandbox_id, 'none'), sandbox_name, generation, status, session_id, journal_offset, fence,
          resume_fail_count, coalesce(', last error ' || last_error, ''))
      from own
      """;

  private final Opening.Means means;
  private final Upkeep upkeep;

  @Inject
  Sessions(
      Database database,
      SessionRows rows,
      Mirror mirror,
      Sandboxes sandboxes,
      Space space,
      Agents agents,
      Upkeep upkeep,
      Logbook logbook) {
    this.means = new Opening.Means(database, rows, mirror, sandboxes, space, agents, logbook);
    this.upkeep = upkeep;
  }

  /// The thread's workspace, with all that was said in the thread as far as there is a copy of it.
  public Workspace open(ThreadKey thread, long fence, Waking waking, Deadline deadline)
      throws InterruptedException {
    return new Opening(means, thread, fence, waking, deadline).open();
  }

  /// The same for a thread in which nobody speaks to Pi: its machine, in whatever state it was left. What became of it is told by the
  /// workspace's news, which are new until they are said to be told.
  ///
  /// @param terms what the machine is held to besides, as labels
  public Workspace openMachine(
      ThreadKey thread, long fence, Waking waking, Deadline deadline, Map<String, String> terms)
      throws InterruptedException {
    return new Opening(means, thread, fence, waking, deadline, terms).machine();
  }

  /// Its owner knows what became of this machine, whoever has the thread by now. Only inside a transaction of the caller's.
  public void isTold(ThreadKey thread, SandboxId machine) {
    means.rows().isTold(thread, machine);
  }

  /// The turn is over; the next one reads on from here. What was said is copied to where it outlives the sandbox.
  public void rest(ThreadKey thread, long fence, Workspace workspace, long journalOffset) {
    means
        .database()
        .transaction(
            () -> {
              noteRest(thread, fence, workspace, journalOffset);
              return true;
            });
    copy(workspace);
  }

  /// The turn is over; the next one reads on from here. Only inside a transaction of the caller's.
  public void noteRest(ThreadKey thread, long fence, Workspace workspace, long journalOffset) {
    var kept =
        means.rows().rest(thread, fence, journalOffset)
            && (!workspace.isTold() || means.rows().isTold(thread, fence));
    if (!kept) {
      LOG.warnf("Thread %s: its session is in other hands", thread);
    }
  }

  /// What was said is copied to where it outlives the sandbox, which lives on for its time.
  public void copy(Workspace workspace) {
    extendLife(workspace);
    workspace.copy();
  }

  /// The people have their answer; that the sandbox lives on for its time is no reason to take it back.
  private void extendLife(Workspace workspace) {
    try {
      means.sandboxes().extendLife(workspace.sandbox().id());
    } catch (Failure failure) {
      LOG.warnf("Sandbox %s: %s", workspace.sandbox().id(), failure.getMessage());
    }
  }

  /// What became of a thread's sandbox, for whoever looks into it.
  public List<Happening> story(ThreadKey thread) {
    return means.database().happenings(STORY, thread);
  }

  /// How the machines of these threads stand, as far as we know; of a thread without one nothing is said.
  public Map<ThreadKey, String> statuses(List<ThreadKey> threads) {
    return means.database().transaction(() -> means.rows().statuses(threads));
  }

  /// The machine that the thread has, asleep or awake, as far as we know.
  public Optional<SandboxId> sandbox(ThreadKey thread) {
    return means.database().transaction(() -> means.rows().of(thread)).flatMap(SessionRow::sandbox);
  }

  /// Whether the thread has a machine on which something may run, or go on when it wakes up.
  public boolean mayRun(ThreadKey thread, Deadline deadline) throws InterruptedException {
    var sandbox = sandbox(thread);
    return sandbox.isPresent()
        && switch (means.sandboxes().find(sandbox.get(), deadline)) {
          case Found.Running _ -> true;
          case Found.Asleep(_, var state) -> !OFF.contains(state);
          case Found.Broken _, Found.Gone _ -> false;
        };
  }

  /// Whether the thread has a machine that runs.
  public boolean isAwake(ThreadKey thread, Deadline deadline) throws InterruptedException {
    var sandbox = sandbox(thread);
    return sandbox.isPresent()
        && means.sandboxes().find(sandbox.get(), deadline) instanceof Found.Running;
  }

  /// For a thread that waits for a person: its sandbox is still in use.
  public void keepAwake(ThreadKey thread) {
    sandbox(thread)
        .ifPresent(
            sandbox -> {
              try {
                means.sandboxes().keepAwake(sandbox);
              } catch (Failure failure) {
                LOG.warnf("Thread %s, which waits: %s", thread, failure.getMessage());
              }
            });
  }

  /// What was said in the thread is forgotten, here and in its copy; the sandbox stays as it is. Only inside a transaction of
  /// the caller's.
  public void forget(ThreadKey thread, long fence) {
    var row = means.rows().of(thread);
    if (row.isEmpty()) {
      return;
    }
    var names = Names.of(thread, row.get()).nextSession();
    if (means.rows().isBegunAnew(thread, fence, names)) {
      means.mirror().forget(thread);
    }
  }

  /// Every machine that the thread ever had is gone, with what was put away of it, and so is the copy of what was said. Nobody
  /// works in the thread meanwhile.
  public void destroy(ThreadKey thread, Deadline deadline) throws InterruptedException {
    var row = means.database().transaction(() -> means.rows().of(thread));
    var machines = new LinkedHashSet<String>();
    row.flatMap(SessionRow::sandbox).map(SandboxId::value).ifPresent(machines::add);
    // One that was created and never written down has the next name.
    var last = row.map(it -> it.generation).orElse(1) + 1;
    for (var generation = 1; generation <= last; generation++) {
      machines.add(new Names(thread, generation, 1).sandbox());
    }
    for (var machine : machines) {
      means.sandboxes().destroy(machine, deadline);
    }
    means
        .database()
        .transaction(
            () -> {
              means.mirror().forget(thread);
              return means.rows().deleteById(thread.toString());
            });
  }

  /// How many machines are awake or about to be, as far as we know.
  public long awake() {
    return means.database().transaction(() -> means.rows().count("status in ?1", Status.awake()));
  }

  /// Puts sandboxes to sleep in whose threads nothing has happened for a while, and nothing waits.
  ///
  /// @param atRest whether a thread holds no work
  public void pauseSilent(Predicate<ThreadKey> atRest) {
    upkeep.pauseSilent(atRest);
  }

  /// Brings what we believe of sandboxes and what there is into one. Deletes nothing.
  ///
  /// @param known whether there is such a thread
  public void reconcile(Predicate<ThreadKey> known) throws InterruptedException {
    upkeep.reconcile(known);
  }
}
