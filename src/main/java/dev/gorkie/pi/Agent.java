package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.logbook.Event;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.Sandbox;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Pi on one machine, as one turn hears it: told from a byte offset on, whatever becomes of the connection.
public final class Agent implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Agent.class);

  // The keeper gives a sign of life every 5 s; three missed ones mean that nobody is there any
  // more.
  private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

  // After that many terminals in a row that could not be had the other way is tried; it is slower
  // but needs no socket.
  private static final int TERMINALS_TRIED = 3;

  // As long as a worker may wait for a machine that reboots its network; longer is not a blip.
  private static final Duration RECONNECTED_WITHIN = Duration.ofSeconds(60);
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(250);

  // Pi at its most talkative makes some dozens, and a whole turn that is heard again some
  // thousands. Whoever floods us waits, and nobody else does.
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int RECORDS_PER_SECOND_MAX = 10_000;

  private final Sandbox sandbox;
  private final long fence;
  private final Deadline deadline;
  private final Logbook logbook;
  private final Journal journal;
  private final Fold fold = new Fold();
  private final Map<String, String> unconfirmed = new LinkedHashMap<>();

  private Launch launch;
  private @Nullable Link link;
  private Instant heard = Instant.now();
  private long offset;
  // Up to where the journal reached when we connected.
  private long there;
  private boolean gap;
  private int connections;
  private int terminalsRefused;
  private Instant lastRecord = Instant.now();
  private long second;
  private int recordsInSecond;
  private Beginning beginning = new Beginning.IfNeeded();
  private String probe = "";
  private boolean probeAnswered;

  // A way that was begun to be opened before anybody needed it.
  private Optional<CompletableFuture<Link>> ahead = Optional.empty();

  /// Connecting takes as long as it takes, up to the deadline; how long a caller listens is another matter.
  Agent(
      Sandbox sandbox, Launch launch, long fence, long offset, Deadline deadline, Logbook logbook) {
    this.sandbox = sandbox;
    this.launch = launch;
    this.fence = fence;
    this.offset = offset;
    this.deadline = deadline;
    this.logbook = logbook;
    this.journal = new Journal(offset);
  }

  /// Begins to open the way, while who is to use it has something else to do first.
  public void approach() {
    var opening = new CompletableFuture<Link>();
    ahead = Optional.of(opening);
    var from = offset;
    var until = deadline.within(RECONNECTED_WITHIN);
    Thread.ofVirtual()
        .name("approach")
        .start(
            () -> {
              try {
                opening.complete(TerminalLink.open(sandbox, fence, from, until));
              } catch (IOException | InterruptedException | RuntimeException e) {
                opening.completeExceptionally(e);
              }
            });
  }

  /// Up to where the journal has been told: the place to go on from.
  public long offset() {
    return offset;
  }

  /// Whether the journal went on elsewhere than where we were, so that something of it was not told.
  public boolean hasGap() {
    return gap;
  }

  /// Whether Pi's model sees an image that it opens.
  public boolean isSeeing() {
    return launch.modelSees();
  }

  /// How often the way to the keeper had to be opened.
  public int connections() {
    return connections;
  }

  /// Ends what Pi is doing and what it left running. What it comes to is told by `Finished`, or was told before.
  public void stop(String id) throws InterruptedException {
    fold.expectStop(id);
    give(id, Fold.line(Map.of("type", "keeper_stop")));
  }

  /// Asks Pi for a sign of life.
  public void probe(String id) throws InterruptedException {
    probe = id;
    probeAnswered = false;
    give(id, Fold.line(Map.of("type", "get_state")));
  }

  public boolean isProbeAnswered() {
    return probeAnswered;
  }

  /// How long nothing has come from Pi although it has something to do and no tool runs.
  public Duration silence() {
    return fold.isWorking() ? Duration.ZERO : Duration.between(lastRecord, Instant.now());
  }

  /// For the holder whom the keeper refuses although the thread is his: what the keeper knows is forged, or restored from a
  /// copy. It begins anew and hears again what it refused.
  public void restartKeeper() {
    LOG.warnf("Sandbox %s: the keeper is begun anew for fence %d", sandbox.id(), fence);
    beginning = new Beginning.ByForce();
    disconnect();
  }

  /// Ends whatever Pi may still be at from before, before it hears anything else. What an image of an older deployment has is only stopped.
  public void beginAnew(String id) throws InterruptedException {
    beginning = new Beginning.Anew(id);
    give(id, Fold.line(Map.of("type", "keeper_stop")));
  }

  /// Whether the keeper will not forget this command any more.
  public boolean has(String id) {
    return fold.isRecorded(id);
  }

  /// Whether the keeper has been told to stop and has never heard of what was to be stopped, which comes to nothing now.
  public boolean hasStoppedBefore(String stop, String command) {
    return has(stop) && !has(command) && isCaughtUp();
  }

  /// What Pi has used up in this turn.
  public Outcome.Usage usage() {
    return fold.usage();
  }

  /// Whether Pi has said or done anything in this turn.
  public boolean hasBegun() {
    return fold.hasBegun();
  }

  /// Whether files may lie where those are that are to be shown at the end of a run. To be asked when it has ended.
  public boolean mayDisplay() {
    return fold.mayDisplay();
  }

  /// Says again, under another id, what Pi took with it when it ended.
  public void promptAgain(String lost, String id, String text) throws InterruptedException {
    fold.forget(lost);
    unconfirmed.remove(lost);
    prompt(id, text);
  }

  /// The run is not over before Pi has heard the command of this id.
  public void expect(String id) {
    fold.expect(id);
  }

  /// Says this to Pi, once, however often it is called with the same id and by whom.
  public void prompt(String id, String text) throws InterruptedException {
    expect(id);
    give(id, Fold.line(Map.of("type", "prompt", "message", text, "streamingBehavior", "steer")));
  }

  /// Has the conversation so far summarised; `Compacted` with this id tells what came of it.
  public void compact(String id) throws InterruptedException {
    give(id, Fold.line(Map.of("type", "compact")));
  }

  /// Has the keeper begin a job beside Pi, once, however often it is called with the same id and by whom.
  ///
  /// @param end where its end is posted and with which token, where it can be
  public void beginJob(String id, String job, String command, Duration limit, Optional<Posting> end)
      throws InterruptedException {
    var words =
        new HashMap<String, Object>(
            Map.of(
                "type",
                "keeper_job",
                "job",
                job,
                "command",
                command,
                "limitSeconds",
                limit.toSeconds()));
    end.ifPresent(
        posting -> {
          words.put("url", posting.url().toString());
          words.put("token", posting.token());
        });
    give(id, Fold.line(words));
  }

  /// Where somebody is to be told, and by what it is known that it is no stranger who tells.
  public record Posting(URI url, String token) {

    @Override
    public String toString() {
      return "Posting[" + url + "]";
    }
  }

  /// Answers what Pi asked for in this dialogue, or says why not.
  public void answer(String id, String dialogue, String text, boolean failed)
      throws InterruptedException {
    respond(id, dialogue, "value", Fold.line(Map.of(failed ? "error" : "text", text)));
  }

  /// Answers whether Pi may.
  public void allow(String id, String dialogue, boolean allowed) throws InterruptedException {
    respond(id, dialogue, "confirmed", allowed);
  }

  private void respond(String id, String dialogue, String field, Object value)
      throws InterruptedException {
    give(id, Fold.line(Map.of("type", "extension_ui_response", "id", dialogue, field, value)));
  }

  /// Whether all has been told that there was when we came.
  public boolean isCaughtUp() {
    return offset >= there;
  }

  /// The next thing that happened, or `Quiet` when there was none until then. Pi goes on all the same.
  public PiEvent next(Deadline until) throws InterruptedException {
    while (true) {
      var line = journal.next();
      if (line.isPresent()) {
        keepPace();
        var event = told(line.get());
        if (event.isPresent()) {
          return event.get();
        }
      } else if (until.isOver()) {
        return new PiEvent.Quiet();
      } else {
        listen(until);
      }
    }
  }

  private void keepPace() throws InterruptedException {
    var now = System.nanoTime() / NANOS_PER_SECOND;
    if (now != second) {
      second = now;
      recordsInSecond = 0;
    }
    if (++recordsInSecond > RECORDS_PER_SECOND_MAX) {
      TimeUnit.NANOSECONDS.sleep((second + 1) * NANOS_PER_SECOND - System.nanoTime());
    }
  }

  @Override
  public void close() {
    disconnect();
  }

  private void give(String id, String command) throws InterruptedException {
    unconfirmed.put(id, command);
    if (link == null) {
      connected(); // and with it all is given that may not have arrived
      return;
    }
    try {
      link.give(id, command);
    } catch (IOException e) {
      lost(e); // given again with the next connection
    }
  }

  private Optional<PiEvent> told(Journal.Line line) {
    return switch (line) {
      case Journal.Line.Record(var json, var next) -> {
        offset = next;
        yield Optional.of(taken(json));
      }
      case Journal.Line.Oversize(var bytes, var next) -> {
        LOG.warnf("Sandbox %s: a record of %d bytes was passed over", sandbox.id(), bytes);
        offset = next;
        yield Optional.empty();
      }
      case Journal.Line.Note(var json) -> {
        noted(json);
        yield Optional.empty();
      }
    };
  }

  private PiEvent taken(byte[] json) {
    var event = fold.take(json);
    unconfirmed.keySet().removeIf(fold::isRecorded);
    if (fold.isLost(launch.session())) {
      goOnElsewhere();
    }
    switch (event) {
      case PiEvent.BegunAnew(var by) when by == fence -> beginning = new Beginning.IfNeeded();
      // Under another fence that is an old story, and so is what was refused before the keeper
      // began anew.
      case PiEvent.TakenOver(var refused)
          when refused != fence || beginning instanceof Beginning.ByForce -> {
        return new PiEvent.Unknown("keeper_refused");
      }
      // The answer to our own question is a sign of life, and none that anything goes on.
      case PiEvent.Replied(var id) when id.equals(probe) -> probeAnswered = true;
      case PiEvent.Unknown(var type) when type.startsWith("keeper_") -> {} // not Pi's
      case PiEvent.Retrying(_, _, var in) -> lastRecord = Instant.now().plus(in);
      default -> lastRecord = Instant.now();
    }
    return event;
  }

  /// What was refused is given again there.
  private void goOnElsewhere() {
    var before = launch.session();
    launch = launch.instead();
    LOG.warnf(
        "Sandbox %s: session %s was lost; %s goes on in its place",
        sandbox.id(), before, launch.session());
    lost(new IOException("the session was lost"));
  }

  private void noted(byte[] json) {
    var read = Json.read(json);
    if (read.isEmpty()) {
      return;
    }
    var note = read.get();
    var age = Duration.ofMillis(note.path("beat").path("age").number());
    if (age.compareTo(SILENCE_MAX) > 0) {
      healthRetry("the keeper gave no sign of life for " + age);
      lost(new IOException("the keeper is dead")); // with the next connection it is started anew
      return;
    }
    var hello = note.path("hello");
    there = Math.max(there, hello.path("end").number());
    var from = Math.max(0, hello.path("from").number(offset));
    if (from != offset) {
      // The journal does not reach back to where we were, or not yet that far: it was lost with its
      // disk.
      LOG.warnf("Sandbox %s: the journal goes on at %d, not at %d", sandbox.id(), from, offset);
      offset = from;
      gap = true;
      // What came in the same piece is counted from where we were, and comes again.
      journal.moveTo(from);
      lost(new IOException("the journal begins elsewhere"));
    }
  }

  private void healthRetry(String why) {
    logbook.note(Event.SANDBOX_HEALTH_RETRY, "sandbox %s: %s".formatted(sandbox.id(), why));
  }

  private void listen(Deadline until) throws InterruptedException {
    var connected = connected();
    try {
      var bytes = connected.read(until.within(SILENCE_MAX));
      if (bytes.length > 0) {
        heard = Instant.now();
        journal.feed(bytes);
      } else if (Instant.now().isAfter(heard.plus(SILENCE_MAX))) {
        throw new IOException("Nothing was heard for " + SILENCE_MAX.toSeconds() + " s");
      }
    } catch (IOException e) {
      lost(e);
    }
  }

  /// The link there is, or a new one from the offset on.
  private Link connected() throws InterruptedException {
    if (link != null) {
      return link;
    }
    var until = deadline.within(RECONNECTED_WITHIN);
    for (var tries = 1; true; tries++) {
      try {
        link = connect(until);
        heard = Instant.now();
        return link;
      } catch (IOException e) {
        if (tries == 1) {
          healthRetry("there is no way to the keeper: " + e.getMessage());
        }
        lost(e);
        if (until.isOver()) {
          throw new Failure(
              PiFailure.UNREACHABLE, "no way to the keeper of sandbox " + sandbox.id(), e);
        }
        pause(until.within(BETWEEN_ATTEMPTS));
      }
    }
  }

  private Link connect(Deadline deadline) throws IOException, InterruptedException {
    connections++;
    journal.moveTo(offset);
    var opened = open(deadline);
    try {
      opened.start(launch, beginning);
      for (var command : unconfirmed.entrySet()) {
        opened.give(command.getKey(), command.getValue());
      }
      opened.awaitGreeting(deadline);
      return opened;
    } catch (IOException | InterruptedException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private Link open(Deadline deadline) throws IOException, InterruptedException {
    if (terminalsRefused >= TERMINALS_TRIED) {
      LOG.infof("Sandbox %s: without a terminal from offset %d on", sandbox.id(), offset);
      terminalsRefused = 0; // when this breaks a terminal may be had again
      return ExecuteLink.open(sandbox, fence, offset);
    }
    terminalsRefused++;
    var opened =
        ahead.isPresent()
            ? approached(ahead.get())
            : TerminalLink.open(sandbox, fence, offset, deadline);
    terminalsRefused = 0;
    return opened;
  }

  /// The way is open or fails within its own time.
  private Link approached(CompletableFuture<Link> opening)
      throws IOException, InterruptedException {
    try {
      var opened = opening.get();
      ahead = Optional.empty();
      return opened;
    } catch (ExecutionException failed) {
      ahead = Optional.empty();
      throw new IOException("No way to the keeper: " + failed.getMessage(), failed.getCause());
    }
  }

  private void lost(IOException why) {
    LOG.infof(
        "Sandbox %s: the line broke at offset %d (%s)", sandbox.id(), offset, why.getMessage());
    disconnect();
  }

  private void disconnect() {
    // One that nobody has used may be open by now, or become so.
    ahead.ifPresent(opening -> opening.thenAccept(Link::close));
    ahead = Optional.empty();
    if (link != null) {
      link.close();
      link = null;
    }
  }

  private static void pause(Deadline deadline) throws InterruptedException {
    var never = new CountDownLatch(1);
    if (never.await(deadline.left().toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("Nobody counts this down");
    }
  }
}
