package dev.gorkie.campaign;

import dev.gorkie.local.Options;
import dev.gorkie.local.World;
import dev.gorkie.way.ManyWorkspaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A server, forty workspaces before it, and people in them who come back to their threads.
final class Soak implements AutoCloseable {

  // Slack takes fifty edits a minute in each: a turn in two seconds is what it can be shown.
  private static final int WORKSPACES = 40;
  private static final int HEAP_MB = 384;
  // Enough to see what was last when something is wrong; of an hour's there is no room for all.
  private static final int REMEMBERED = 1_000;
  // A tool, and an answer that takes long enough to be shown while it comes.
  private static final Duration TURN_LASTS = Duration.ofSeconds(6);
  private static final Duration ANSWERING = Duration.ofSeconds(4);
  private static final Wish WISH = new Wish("plain", (int) TURN_LASTS.toMillis(), false, true);
  private static final long NANOS_PER_S = 1_000_000_000;
  private static final double IS_NEW = 0.1;
  private static final int TURNS_OF_A_TALK_MAX = 10;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  // Slack brings a message a last time five minutes after the first; a lease, a turn and its words
  // come on top.
  private static final Duration REST_WITHIN = Duration.ofMinutes(8);
  // What an older holder still says in Slack is gone by then.
  private static final Duration GONE_WITHIN = Duration.ofSeconds(60);

  private static final String STANDING =
      """
      select (select count(*) from inbox where settled_at is null) as open,
             (select count(*) from inbox where settled_at is null and accepted_at < now() - interval '5 minutes')
             + (select count(*) from outbox
                where kind = 'text' and state in ('pending', 'sent', 'ambiguous') and created_at < now() - interval '5 minutes')
             + (select count(*) from threads where lease_owner is not null and lease_until < now() - interval '5 minutes') as behind,
             (select count(*) from budgets) as budgets,
             coalesce((select percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at))
                       from turns where ended_at > now() - ? * interval '1 millisecond'), 0) as middle,
             coalesce((select percentile_cont(0.99) within group (order by extract(epoch from ended_at - started_at))
                       from turns where ended_at > now() - ? * interval '1 millisecond'), 0) as slow
      """;

  private final Figures figures;
  private final String again;
  private final Path directory;
  private final World world;
  private final PlayedKeepers keepers = new PlayedKeepers(TURN_LASTS, ANSWERING);
  private final Sprinkler sprinkler;
  private final Relays relays;
  private final Books books;
  private final Server server;
  private final List<Neighbour> neighbours = new ArrayList<>();
  private final Map<Neighbour, Queue<Talk>> resting = new HashMap<>();
  private final Queue<Talk> busy = new ConcurrentLinkedQueue<>();
  private final Queue<Over> over = new ConcurrentLinkedQueue<>();
  private final List<Talk> judged = new ArrayList<>();
  private final FutureTask<String> clerk = new FutureTask<>(this::keepBooks, "all is judged");
  private final Random random;
  private long asked;
  private Instant roundBegan = Instant.now();

  /// A thread to which nobody comes back.
  private record Over(Talk talk, Instant since) {}

  /// How things stand at the end of a round.
  ///
  /// @param behind rows of what should be over since minutes
  /// @param middle seconds that half of the last turns took at most
  /// @param slow those that all but one in a hundred took at most
  record Standing(long open, long behind, long budgets, double middle, double slow, long faults) {

    void tell(String name, Figures figures) {
      figures.count(name + "rows open", open);
      figures.count(name + "rows left behind", behind);
      figures.count(name + "turn ms p50", Math.round(middle * 1_000));
      figures.count(name + "turn ms p99", Math.round(slow * 1_000));
    }

    @Override
    public String toString() {
      return "%d rows open, %d left behind, %d budgets; a turn %.1f s, p99 %.1f; %d things went wrong"
          .formatted(open, behind, budgets, middle, slow, faults);
    }
  }

  private Soak(Size size, Figures figures) throws IOException, InterruptedException {
    this.figures = figures;
    var seed = size.seedOrUsual();
    again = size.again(figures.part());
    random = new Random(seed);
    sprinkler = new Sprinkler(seed);
    directory = Files.createTempDirectory("gorkie-soak");
    var image =
        Path.of(
            Objects.requireNonNull(
                System.getenv("GORKIE"), "GORKIE is not set; “make campaign” sees to it"));
    world = World.start(Options.inside(directory.resolve("world"), image).withMachinesAtOnce());
    world.daytona().playedBy(keepers);
    var environment = new HashMap<>(world.environment());
    books = new Books(URI.create(Objects.requireNonNull(environment.get("DATABASE_URL"))));
    environment.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");
    // Here one person asks for all.
    environment.put("GORKIE_PEOPLE_AT_ONCE", "100000");
    environment.putAll(ManyWorkspaces.SETTINGS);
    relays = Relays.between(environment, sprinkler);
    server = Server.start(relays.environment(), HEAP_MB);
    for (var number = 0; number < WORKSPACES; number++) {
      var slack =
          number == 0
              ? world.slack()
              : world.slack().beside("T0SOAK%03d".formatted(number), "Soak " + number);
      slack.remember(REMEMBERED);
      slack.deliverTo(server.gorkie().events());
      ManyWorkspaces.letIn(server.gorkie(), slack);
      var neighbour = Neighbour.of(slack, books);
      neighbours.add(neighbour);
      resting.put(neighbour, new ConcurrentLinkedQueue<>());
    }
    sprinkler.rain(true);
    Thread.ofVirtual().name("clerk").start(clerk);
  }

  static Soak begin(Size size, Figures figures) throws IOException, InterruptedException {
    return new Soak(size, figures);
  }

  Server server() {
    return server;
  }

  /// So many a second, whatever becomes of them.
  void ask(int rate, Duration during) throws InterruptedException {
    roundBegan = Instant.now();
    var count = during.toMillis() * rate / 1_000;
    for (var number = 0L; number < count; number++) {
      var due = roundBegan.plusNanos(number * NANOS_PER_S / rate);
      var pause = Duration.between(Instant.now(), due);
      if (pause.isPositive()) {
        Thread.sleep(pause);
      }
      mustBeJudging();
      ask();
    }
  }

  private void ask() {
    var neighbour = neighbours.get((int) (asked % neighbours.size()));
    var before =
        random.nextDouble() < IS_NEW ? null : Objects.requireNonNull(resting.get(neighbour)).poll();
    var talk =
        before == null ? new Talk(neighbour, Neighbour.channel(asked / neighbours.size())) : before;
    talk.ask("s" + asked, WISH, asked);
    asked++;
    busy.add(talk);
  }

  /// And another one takes its place.
  void kill() throws IOException, InterruptedException {
    sprinkler.rain(false);
    server.killAndStart();
    var events = server.gorkie().events();
    neighbours.forEach(neighbour -> neighbour.slack().deliverTo(events));
    sprinkler.rain(true);
    figures.count("kills", 1);
  }

  Standing standing() {
    var millis = Duration.between(roundBegan, Instant.now()).toMillis();
    var row = books.rows(STANDING, millis, millis).getFirst();
    return new Standing(
        Books.number(row, "open"),
        Books.number(row, "behind"),
        Books.number(row, "budgets"),
        real(row, "middle"),
        real(row, "slow"),
        sprinkler.cut());
  }

  private static double real(Map<String, Object> row, String column) {
    return ((Number) Objects.requireNonNull(row.get(column))).doubleValue();
  }

  /// Until every thread is at rest; then all are looked at once more, and nothing may be open.
  void end() throws IOException, InterruptedException {
    while (!busy.isEmpty()) {
      mustBeJudging();
      Thread.sleep(LOOK_EVERY);
    }
    resting.values().forEach(queue -> queue.forEach(this::leave));
    while (!over.isEmpty()) {
      mustBeJudging();
      Thread.sleep(LOOK_EVERY);
    }
    clerk.cancel(true);
    sprinkler.rain(false);
    for (var talk : judged) {
      for (var violation : talk.in().judge().look(talk.about())) {
        violated(talk.thread() + ", later", violation);
      }
    }
    var standing = standing();
    standing.tell("end: ", figures);
    if (standing.open() + standing.behind() > 0) {
      violated("the end", new Violation("I1", "not empty: " + standing));
    }
    figures.count("threads", judged.size());
    figures.faults(sprinkler.cut());
  }

  private void mustBeJudging() throws InterruptedException {
    if (clerk.isDone()) {
      try {
        throw new IllegalStateException(clerk.get());
      } catch (ExecutionException failed) {
        throw new IllegalStateException("Nobody judges any more", failed.getCause());
      }
    }
  }

  /// Notices what has come to rest, and judges what nobody comes back to.
  private void keepBooks() {
    try {
      while (true) {
        Thread.sleep(LOOK_EVERY);
        sortOut();
        for (var one : List.copyOf(over)) {
          if (isJudged(one)) {
            over.remove(one);
          }
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void sortOut() {
    // The youngest are at work whatever the tables say.
    var old = Instant.now().minus(TURN_LASTS);
    var candidates = busy.stream().filter(talk -> talk.asked().isBefore(old)).toList();
    var outcomes = books.resting(candidates);
    for (var talk : candidates) {
      var outcome = outcomes.get(talk.thread());
      if (outcome != null) {
        busy.remove(talk);
        figures.histories(1);
        if (!outcome.equals(ThreadJudge.DONE)) {
          figures.count(outcome, 1);
        }
        if (talk.turns() < TURNS_OF_A_TALK_MAX) {
          Objects.requireNonNull(resting.get(talk.in())).add(talk);
        } else {
          leave(talk);
        }
      } else if (talk.asked().plus(REST_WITHIN).isBefore(Instant.now())) {
        busy.remove(talk);
        violated(talk.thread(), new Violation("I1", talk.last() + " did not come to rest"));
        books.inbox(talk.thread()).forEach(row -> System.out.println("  inbox  " + row));
        books.turns(talk.thread()).forEach(row -> System.out.println("  turn   " + row));
      }
    }
  }

  private void leave(Talk talk) {
    over.add(new Over(talk, Instant.now()));
  }

  /// False for one that is to be looked at again: what is wrong may be on its way out.
  private boolean isJudged(Over one) throws IOException, InterruptedException {
    var talk = one.talk();
    var found = new ArrayList<>(talk.in().judge().look(talk.about()));
    if (talk.isShownAtWork()) {
      found.add(new Violation("I2", "somebody is shown at work, and nobody is"));
    }
    if (!found.isEmpty() && Instant.now().isBefore(one.since().plus(GONE_WITHIN))) {
      return false;
    }
    found.addAll(heard(talk));
    found.forEach(violation -> violated(talk.thread(), violation));
    if (found.isEmpty()) {
      judged.add(talk);
    }
    return true;
  }

  private List<Violation> heard(Talk talk) {
    var name = "gorkie-" + talk.thread().replace(':', '-');
    var sandbox = world.daytona().sandbox(name);
    var isSorry = !talk.in().judge().apologies(talk.about()).isEmpty();
    var found = new ArrayList<Violation>();
    for (var told : talk.told()) {
      var times = sandbox.map(it -> keepers.heard(it.id(), told.name())).orElse(0L);
      if (times > 1 || times == 0 && !isSorry) {
        found.add(new Violation("I6", "Pi heard %s %d times".formatted(told.name(), times)));
      }
    }
    return found;
  }

  private void violated(String where, Violation violation) {
    figures.violated(where, violation, again);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    clerk.cancel(true);
    server.close();
    keepers.close();
    world.close();
    relays.close();
    books.close();
    try (var all = Files.walk(directory)) {
      for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
