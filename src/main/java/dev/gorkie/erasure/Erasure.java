package dev.gorkie.erasure;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.slack.Installations;
import dev.gorkie.slack.Membership;
import dev.gorkie.slack.Replies;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.tokens.Tokens;
import dev.gorkie.turns.Turns;
import dev.gorkie.webhook.Webhook;
import dev.gorkie.workbench.Workbench;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import org.jboss.logging.Logger;

/// Forgets. It may be done again from the beginning, by another one, and twice at once.
///
/// The rows go last: until nothing else is left they say what there is to forget.
@ApplicationScoped
public class Erasure {

  private static final Logger LOG = Logger.getLogger(Erasure.class);

  // As many as one look takes; what is left the next one finds.
  private static final int THREADS_AT_ONCE = 50;
  // A machine that starts or stops just now is done with that first.
  private static final Duration THREAD_MOST = Duration.ofMinutes(5);

  private final Database database;
  private final Inbox inbox;
  private final Turns turns;
  private final Jobs jobs;
  private final Tasks tasks;
  private final Webhook webhook;
  private final Sessions sessions;
  private final Replies replies;
  private final Installations installations;
  private final Preferences preferences;
  private final Tokens tokens;
  private final Workbench workbench;
  private final Departures departures;
  private final Remains remains;
  private final Duration after;

  /// What the operator sets.
  @ConfigMapping(prefix = "gorkie.forget")
  interface Rules {

    /// How long what was said in a workspace is kept after it has thrown us out. Whoever did it by mistake notices within a month.
    @WithDefault("30d")
    Duration after();
  }

  /// What was forgotten, and what of it is still there: rows by their table. There is nothing when all went well.
  public record Forgotten(int threads, Map<String, Long> left) {}

  @Inject
  Erasure(
      Database database,
      Inbox inbox,
      Turns turns,
      Jobs jobs,
      Tasks tasks,
      Webhook webhook,
      Sessions sessions,
      Replies replies,
      Installations installations,
      Preferences preferences,
      Tokens tokens,
      Workbench workbench,
      Departures departures,
      Remains remains,
      Rules rules) {
    this.database = database;
    this.inbox = inbox;
    this.turns = turns;
    this.jobs = jobs;
    this.tasks = tasks;
    this.webhook = webhook;
    this.sessions = sessions;
    this.replies = replies;
    this.installations = installations;
    this.preferences = preferences;
    this.tokens = tokens;
    this.workbench = workbench;
    this.departures = departures;
    this.remains = remains;
    this.after = rules.after();
  }

  public Forgotten thread(ThreadKey thread) throws InterruptedException {
    var known = inbox.knows(thread);
    forget(thread);
    return new Forgotten(known ? 1 : 0, database.search(() -> remains.ofThread(thread)));
  }

  /// With every thread in which the person wrote to us: what was said there cannot be taken apart.
  public Forgotten person(String team, String user) throws InterruptedException {
    var count = 0;
    for (var threads = inbox.threadsOf(team, user, THREADS_AT_ONCE);
        !threads.isEmpty();
        threads = inbox.threadsOf(team, user, THREADS_AT_ONCE)) {
      for (var thread : threads) {
        forget(thread);
        count++;
      }
    }
    database.transaction(
        () -> {
          preferences.forget(team, user);
          jobs.forget(team, user);
          remains.clear(team, user);
          return true;
        });
    return new Forgotten(count, database.search(() -> remains.ofPerson(team, user)));
  }

  public Forgotten workspace(String team) throws InterruptedException {
    var count = 0;
    for (var some = someOf(team); some > 0; some = someOf(team)) {
      count += some;
    }
    return new Forgotten(count, last(team));
  }

  /// Programs of this tenant, with their tokens, so that they begin nothing meanwhile.
  public Forgotten tenant(String tenant) throws InterruptedException {
    tokens.forget(tenant);
    var count = workbench.forget(tenant);
    database.transaction(
        () -> {
          remains.clearTenant(tenant);
          return true;
        });
    return new Forgotten(count, database.search(() -> remains.ofTenant(tenant)));
  }

  /// How many threads went; none when none was left.
  private int someOf(String team) throws InterruptedException {
    var threads = inbox.threadsOf(team, THREADS_AT_ONCE);
    for (var thread : threads) {
      forget(thread);
    }
    return threads.size();
  }

  private Map<String, Long> last(String team) {
    database.transaction(
        () -> {
          preferences.forget(team);
          installations.forget(team);
          departures.remove(team);
          remains.clear(team);
          return true;
        });
    return database.search(() -> remains.ofTeam(team));
  }

  private void forget(ThreadKey thread) throws InterruptedException {
    // From here on nobody begins anything in it, and whoever is at it writes nothing more.
    var held = inbox.withhold(thread, THREAD_MOST.multipliedBy(2));
    if (held.isPresent()) {
      LOG.infof(
          "Thread %s is being worked on; it is left within %d s", thread, held.get().toSeconds());
      Thread.sleep(held.get());
    }
    sessions.destroy(thread, Deadline.in(THREAD_MOST));
    database.transaction(
        () -> {
          jobs.forget(thread);
          tasks.forget(thread);
          webhook.forget(thread);
          turns.forget(thread);
          replies.forget(thread);
          preferences.forget(thread);
          inbox.forget(thread);
          remains.clear(thread);
          return true;
        });
    LOG.infof("Thread %s is forgotten", thread);
  }

  /// A workspace does not want us any more.
  public void departed(Membership.Ended ended) {
    for (var team : installations.teamsOf(ended.place())) {
      database.transaction(() -> departures.note(team, ended.at(), after));
    }
  }

  /// Forgets the workspaces whose time has come, as far as one look gets.
  public void due() throws InterruptedException {
    for (var team : database.transaction(departures::due)) {
      try {
        forgetDeparted(team);
      } catch (RuntimeException e) {
        LOG.errorf(e, "Workspace %s could not be forgotten; it is tried again", team);
      }
    }
  }

  private void forgetDeparted(String team) throws InterruptedException {
    if (isBack(team)) {
      database.transaction(() -> departures.remove(team));
      LOG.infof("Workspace %s has let us in again and is not forgotten", team);
    } else if (isGone(team)) {
      var left = last(team);
      LOG.infof("Workspace %s is forgotten; left: %s", team, left);
    }
  }

  /// Whether no thread of it is left. One that cannot be forgotten now keeps no other, and is found by the next look.
  private boolean isGone(String team) throws InterruptedException {
    var threads = inbox.threadsOf(team, THREADS_AT_ONCE);
    var forgotten = 0;
    for (var thread : threads) {
      try {
        forget(thread);
        forgotten++;
      } catch (RuntimeException e) {
        LOG.errorf(e, "Thread %s could not be forgotten; it is tried again", thread);
      }
    }
    return forgotten == threads.size() && forgotten < THREADS_AT_ONCE;
  }

  private boolean isBack(String team) {
    return installations.hasToken(team)
        || database.transaction(() -> departures.isHeardSince(team));
  }
}
