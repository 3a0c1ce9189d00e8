package dev.gorkie.jobs;

import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.JobState;
import dev.gorkie.pi.JobState.Standing;
import dev.gorkie.pi.KeeperJobs;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.slack.FollowUp;
import dev.gorkie.slack.Listing;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Pressed;
import dev.gorkie.slack.Replies;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// Begins jobs, knows how they stand, and gives the end of each to its conversation once.
@ApplicationScoped
public class Jobs {

  /// So many may run at once in a conversation.
  public static final int AT_ONCE_MAX = 10;

  private static final Logger LOG = Logger.getLogger(Jobs.class);

  private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  // 60 bits: found by nobody, and still copied by a model without a mistake.
  private static final int ID_LENGTH = 12;
  private static final int COMMAND_CHARACTERS_MAX = 500;
  private static final Duration LISTED = Duration.ofDays(1);
  private static final int LISTED_MAX = 20;
  // A keeper that says where its jobs are after a month is none we would believe.
  private static final Duration KEPT = Duration.ofDays(30);
  // Behind its limit: the last tries of the keeper to say so, and clocks that differ.
  private static final Duration HEARD_OF_AFTER = Duration.ofHours(1);
  private static final int LOOKED_AT_MAX = 200;
  private static final int MACHINES_AT_ONCE = 8;
  // The clock of a function comes once a minute.
  private static final Duration LOOKED_WITHIN = Duration.ofSeconds(50);

  private final Database database;
  private final JobRows rows;
  private final JobTokens tokens;
  private final Sessions sessions;
  private final Sandboxes sandboxes;
  private final KeeperJobs keeper;
  private final Inbox inbox;
  private final Replies replies;
  private final Rules rules;
  private final SecureRandom random = new SecureRandom();

  @ConfigMapping(prefix = "gorkie.jobs")
  interface Rules {

    /// Where sandboxes reach our first door. Without it the end of a job is found by looking.
    Optional<URI> url();

    /// As long as the turns of one piece of work may take together.
    @WithDefault("6h")
    Duration limitMax();

    /// From when it is written down until the keeper knows it; a worker that died in between has a successor by then.
    @WithDefault("2m")
    Duration begunWithin();
  }

  @Inject
  Jobs(
      Database database,
      JobRows rows,
      JobTokens tokens,
      Sessions sessions,
      Sandboxes sandboxes,
      KeeperJobs keeper,
      Inbox inbox,
      Replies replies,
      Rules rules) {
    this.database = database;
    this.rows = rows;
    this.tokens = tokens;
    this.sessions = sessions;
    this.sandboxes = sandboxes;
    this.keeper = keeper;
    this.inbox = inbox;
    this.replies = replies;
    this.rules = rules;
  }

  /// What the agent wants to have begun.
  ///
  /// @param dialogue in which it asked; asked twice, it is the same job
  /// @param asking the message for which it does it
  public record Wish(
      ThreadKey thread,
      long fence,
      String dialogue,
      SandboxId sandbox,
      MessageEvent asking,
      String command,
      Duration limit) {}

  /// What becomes of a wish.
  public sealed interface Answer {
    /// The keeper is to be told; it begins the same once.
    record Begin(String id, String command, Duration limit, Optional<Agent.Posting> end)
        implements Answer {}

    record No(String why) implements Answer {}
  }

  public Answer begin(Wish wish) {
    if (wish.limit().compareTo(rules.limitMax()) > 0 || !wish.limit().isPositive()) {
      return new Answer.No(
          "A job may take 1 to %d s here.".formatted(rules.limitMax().toSeconds()));
    }
    return database.transaction(
        () -> {
          rows.lock(wish.thread());
          var known = rows.askedAs(wish.thread(), wish.dialogue());
          if (known.isPresent()) {
            return begin(wish, known.get().jobId);
          }
          if (rows.countRunning(wish.thread()) >= AT_ONCE_MAX) {
            return new Answer.No(
                "%d jobs run in this conversation already, and no more may. Stop one, or wait until one is over."
                    .formatted(AT_ONCE_MAX));
          }
          var id = newId();
          var command =
              wish.command()
                  .substring(0, Math.min(wish.command().length(), COMMAND_CHARACTERS_MAX))
                  .replace('\0', '\ufffd');
          if (!rows.insert(wish, id, command)) {
            return new Answer.No("Somebody else goes on with this conversation.");
          }
          LOG.infof("Thread %s: %s is begun", wish.thread(), id);
          return begin(wish, id);
        });
  }

  private Answer begin(Wish wish, String id) {
    var expires = Instant.now().plus(wish.limit()).plus(HEARD_OF_AFTER);
    var end =
        rules
            .url()
            .flatMap(
                url ->
                    tokens
                        .of(id, expires)
                        .map(token -> new Agent.Posting(address(url, id), token)));
    return new Answer.Begin(id, wish.command(), wish.limit(), end);
  }

  private static URI address(URI url, String id) {
    var base = url.toString();
    return URI.create(
        (base.endsWith("/") ? base : base + "/") + "sandbox-jobs/" + id + "/complete");
  }

  private String newId() {
    return "job-"
        + random
            .ints(ID_LENGTH, 0, ID_CHARACTERS.length())
            .mapToObj(at -> ID_CHARACTERS.substring(at, at + 1))
            .collect(Collectors.joining());
  }

  /// How a job of this conversation stood when it was last heard of. Another one's is as unknown as one that never was.
  public Optional<String> status(ThreadKey thread, String id) {
    return database.transaction(() -> rows.of(thread, id).map(Words::status));
  }

  /// The agent has seen its end itself, so that nothing is to be gone on with.
  public void told(ThreadKey thread, String id) {
    database.transaction(
        () -> {
          if (rows.isTold(thread, id)) {
            inbox.forgetFollowUp(thread, followUpId(id));
          }
          return true;
        });
  }

  /// What people read who ask.
  public Listing list(ThreadKey thread) {
    return Words.listing(database.transaction(() -> rows.latest(thread, LISTED, LISTED_MAX)));
  }

  public boolean isAnyRunning(ThreadKey thread) {
    return database.transaction(() -> rows.countRunning(thread) > 0);
  }

  public boolean areAnyRunning() {
    return database.transaction(rows::anyRunning);
  }

  /// Its end has been heard of; the thread to wake, where it is gone on with. Heard again, it is nothing.
  public Optional<ThreadKey> over(JobState end) {
    if (!end.standing().isOver()) {
      return Optional.empty();
    }
    return database.transaction(
        () -> {
          if (!rows.isOver(end)) {
            return Optional.empty();
          }
          var job = rows.of(end.job()).orElseThrow();
          LOG.infof("Thread %s: %s is over, %s", job.threadId, job.jobId, end.standing());
          if (job.stopBy != null) {
            replies.note(job.address(), stopSubject(job.jobId), Words.stopped(job, end));
            return Optional.empty();
          }
          if (job.told) {
            return Optional.empty();
          }
          inbox.followUp(
              new FollowUp(
                  job.app,
                  job.team,
                  job.channel,
                  job.rootTs,
                  job.askedBy,
                  followUpId(job.jobId),
                  Words.ended(job, end)));
          return Optional.of(job.thread());
        });
  }

  private static String followUpId(String id) {
    return id.replace("-", "");
  }

  private static String stopSubject(String id) {
    return "stop-" + id;
  }

  /// Nothing is kept of the thread's. Only inside a transaction of the caller's.
  public void forget(ThreadKey thread) {
    rows.forget(thread);
  }

  /// Nor that a person has stopped somebody else's. Only inside a transaction of the caller's.
  public void forget(String team, String user) {
    rows.forgetWhoStopped(team, user);
  }

  /// Whether a person may end what the button stands for, and it still runs. From now on somebody ends it.
  public boolean isToStop(Pressed pressed) {
    return database.transaction(
        () ->
            rows.of(pressed.id())
                .filter(job -> isHere(job, pressed))
                .filter(job -> rows.isToStop(job.jobId, pressed.user()))
                .isPresent());
  }

  /// Whoever reads a thread may end what goes on there, as with a turn.
  private static boolean isHere(JobRow job, Pressed pressed) {
    return job.team.equals(pressed.team())
        && job.channel.equals(pressed.channel())
        && (job.thread().isDirect() || job.rootTs.equals(pressed.threadTs()));
  }

  /// Ends it and says so. What cannot be done now the next look does.
  public void stop(String id) throws InterruptedException {
    var job = database.transaction(() -> rows.of(id)).filter(JobRow::isRunning);
    if (job.isPresent()
        && sandboxes.find(new SandboxId(job.get().sandboxId))
            instanceof Found.Running(var sandbox)) {
      keeper.stop(sandbox, id).ifPresent(this::over);
    }
    replies.say(stopSubject(id));
  }

  /// Looks at every machine on which one runs: it stays awake, and what has ended there without a word is heard of now. The
  /// threads to wake.
  public List<ThreadKey> look() throws InterruptedException {
    var running =
        database.transaction(
            () -> {
              rows.forget(KEPT);
              return rows.toBeLookedAt(LOOKED_AT_MAX);
            });
    if (running.isEmpty()) {
      return List.of();
    }
    var places = new Semaphore(MACHINES_AT_ONCE);
    var looks =
        running.stream().collect(Collectors.groupingBy(JobRow::thread)).entrySet().stream()
            .map(of -> (Callable<List<ThreadKey>>) () -> look(of, places))
            .toList();
    var woken = new ArrayList<ThreadKey>();
    try (var lookers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var look : lookers.invokeAll(looks, LOOKED_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        try {
          woken.addAll(look.get());
        } catch (ExecutionException e) {
          LOG.warn(
              "A machine with jobs could not be looked at; it is time again soon", e.getCause());
        } catch (CancellationException _) {
          LOG.warn("A machine with jobs was not looked at in time");
        }
      }
    }
    return woken.stream().distinct().toList();
  }

  private List<ThreadKey> look(Map.Entry<ThreadKey, List<JobRow>> of, Semaphore places)
      throws InterruptedException {
    places.acquire();
    try {
      return look(of.getKey(), of.getValue());
    } finally {
      places.release();
    }
  }

  private List<ThreadKey> look(ThreadKey thread, List<JobRow> jobs) throws InterruptedException {
    var woken = new ArrayList<ThreadKey>();
    var own = sessions.sandbox(thread);
    for (var on : jobs.stream().collect(Collectors.groupingBy(job -> job.sandboxId)).entrySet()) {
      var sandbox = new SandboxId(on.getKey());
      var isOwn = own.filter(sandbox::equals).isPresent();
      for (var end : isOwn ? ends(sandbox, on.getValue()) : allLost(on.getValue())) {
        over(end).ifPresent(woken::add);
      }
    }
    return woken;
  }

  private List<JobState> ends(SandboxId sandbox, List<JobRow> jobs) throws InterruptedException {
    try {
      return switch (sandboxes.find(sandbox)) {
        case Found.Running(var machine) -> ends(machine, jobs);
        case Found.Asleep _ -> lostIfMissedBefore(jobs);
        case Found.Broken _, Found.Gone _ -> allLost(jobs);
      };
    } catch (Failure failure) {
      LOG.warnf("Sandbox %s, on which a job runs: %s", sandbox, failure.getMessage());
      return overdue(jobs);
    }
  }

  private List<JobState> ends(Sandbox machine, List<JobRow> jobs) {
    sandboxes.keepAwake(machine.id());
    database.transaction(
        () -> {
          jobs.forEach(job -> rows.isThere(job.jobId));
          return true;
        });
    var unknownFrom = Instant.now().minus(rules.begunWithin());
    var ends = new ArrayList<JobState>();
    for (var state : keeper.states(machine, jobs.stream().map(job -> job.jobId).toList())) {
      var job = jobs.stream().filter(it -> it.jobId.equals(state.job())).findFirst().orElseThrow();
      if (state.standing().isOver()) {
        ends.add(state);
      } else if (state.standing() == Standing.UNKNOWN && job.begunAt.isBefore(unknownFrom)) {
        ends.add(JobState.lost(job.jobId));
      } else if (job.stopBy != null) {
        keeper.stop(machine, job.jobId).ifPresent(ends::add);
      }
    }
    var over = ends.stream().map(JobState::job).toList();
    ends.addAll(overdue(jobs.stream().filter(job -> !over.contains(job.jobId)).toList()));
    return ends;
  }

  /// What is not awake runs nothing; but one look may be a lie of a moment.
  private List<JobState> lostIfMissedBefore(List<JobRow> jobs) {
    database.transaction(
        () -> {
          jobs.forEach(job -> rows.isMissed(job.jobId));
          return true;
        });
    return allLost(jobs.stream().filter(job -> job.missedAt != null).toList());
  }

  private static List<JobState> overdue(List<JobRow> jobs) {
    var now = Instant.now();
    return allLost(
        jobs.stream()
            .filter(
                job ->
                    job.age(now)
                            .compareTo(Duration.ofSeconds(job.limitSeconds).plus(HEARD_OF_AFTER))
                        > 0)
            .toList());
  }

  private static List<JobState> allLost(List<JobRow> jobs) {
    return jobs.stream().map(job -> JobState.lost(job.jobId)).toList();
  }
}
