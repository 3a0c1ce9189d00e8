package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// An answer in a thread while it is given. It is written into one message after the other as it comes; as soon as
/// anything about that is uncertain, what is there is edited instead, and the rest follows in the end.
///
/// It costs nobody a wait and fails nothing. What it comes to is told by whoever delivers the last word.
final class LiveAnswer {

  static final int MESSAGES_MAX = 3;

  private static final Logger LOG = Logger.getLogger(LiveAnswer.class);
  // More than is ever shown before the end.
  private static final int CHARACTERS_MAX = 60_000;
  private static final String STARTING_OVER = "…";
  // Slack's words for that it will not do this for anybody here.
  private static final Set<String> NOT_HERE =
      Set.of("unknown_method", "missing_scope", "not_allowed_token_type");

  private final Ledger ledger;
  private final Streams streams;
  private final LiveCard card;
  private final Pace pace;
  // Shared by all answers.
  private final AtomicBoolean refused;
  private final Thread writer;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  // Guarded by the lock:
  private String mention = "";
  private String preface = "";
  private String said = "";
  private final StringBuilder draft = new StringBuilder();
  private Optional<String> instead = Optional.empty();
  private boolean broken;
  private boolean changed;
  private boolean resting;
  private Optional<Long> firstWord = Optional.empty();
  // The writer's own, and after it whoever decides:
  private final Growing growing = new Growing();
  private final List<String> written = new ArrayList<>();
  private volatile Mode mode = Mode.WRITING;
  private boolean touched;
  private Optional<Open> open = Optional.empty();
  private long earliest = System.nanoTime();

  /// When an answer begins to be shown, how often it is gone on with or edited, how old a message may get that is written.
  record Pace(int characters, Duration delay, Duration interval, Duration edits, Duration life) {}

  private enum Mode {
    /// New words are appended.
    WRITING,
    /// What is there is set by edits.
    EDITING,
    /// Nothing is shown before the end.
    SILENT
  }

  /// The message that is being written.
  private record Open(String part, String ts, long since) {}

  LiveAnswer(Ledger ledger, Streams streams, LiveCard card, Pace pace, AtomicBoolean refused) {
    this.ledger = ledger;
    this.streams = streams;
    this.card = card;
    this.pace = pace;
    this.refused = refused;
    this.writer = Thread.ofVirtual().name("slack-answer").unstarted(this::keepUp);
  }

  /// What a worker before us began is brought to what we know.
  static LiveAnswer takenOver(LiveAnswer answer) {
    answer.touched = true;
    if (!answer.ledger.begun().isEmpty()) {
      answer.mode = Mode.EDITING;
      answer.writer.start();
    }
    return answer;
  }

  /// Who is named ahead of every answer of this turn.
  void mentions(String ahead) {
    lock.lock();
    try {
      mention = ahead;
    } finally {
      lock.unlock();
    }
  }

  /// What every answer of this turn begins with.
  void beginsWith(String beginning) {
    lock.lock();
    try {
      preface = beginning;
      said = beginning;
    } finally {
      lock.unlock();
    }
  }

  /// A piece of what may become an answer.
  void say(String delta) {
    lock.lock();
    try {
      if (draft.length() + said.length() > CHARACTERS_MAX) {
        return;
      }
      draft.append(delta);
      if (firstWord.isEmpty() && !delta.isBlank()) {
        firstWord = Optional.of(System.nanoTime());
      }
      instead = Optional.empty();
      tell();
    } finally {
      lock.unlock();
    }
  }

  /// What was being said is an answer; this is all of it so far.
  void answered(String text) {
    lock.lock();
    try {
      draft.setLength(0);
      said = preface + text + "\n\n";
      tell();
    } finally {
      lock.unlock();
    }
  }

  /// What was being said is no answer.
  ///
  /// @param startsOver whether the same is tried again
  void forget(boolean startsOver) {
    lock.lock();
    try {
      draft.setLength(0);
      firstWord = Optional.empty();
      broken = true;
      instead = startsOver ? Optional.of(STARTING_OVER) : Optional.empty();
      tell();
    } finally {
      lock.unlock();
    }
  }

  private void tell() {
    changed = true;
    if (writer.getState() == Thread.State.NEW && !resting) {
      writer.start();
    }
    news.signalAll();
  }

  /// Writes nothing more; a call that has begun is waited for.
  void rest() throws InterruptedException {
    lock.lock();
    try {
      resting = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
    if (writer.getState() != Thread.State.NEW) {
      writer.join();
    }
  }

  /// The messages in which an answer comes that is whole now. Only while nothing is written.
  List<String> pieces(String safe) {
    return growing.pieces(safe);
  }

  /// In how many messages something of it is shown. Only while nothing is written.
  int shownIn() {
    return written.size();
  }

  /// Whether there may be something in the thread that has to become something else. Only while nothing is written.
  boolean isTouched() {
    return touched;
  }

  /// What was said up to now. Only while nothing is written.
  String soFar() {
    lock.lock();
    try {
      return said + draft;
    } finally {
      lock.unlock();
    }
  }

  static String part(int number) {
    return "answer-" + number;
  }

  private void keepUp() {
    try {
      if (mode == Mode.EDITING) {
        takeUp();
      }
      while (awaitNews()) {
        write();
      }
    } catch (InterruptedException _) {
      LOG.debugf("The answer of %s is no further shown", ledger.subject());
    } catch (HoldLost lost) {
      LOG.debugf("The answer of %s is another worker's: %s", ledger.subject(), lost.getMessage());
    } catch (RuntimeException e) {
      // The database is away; what is there is set right in the end.
      LOG.warnf(e, "The answer of %s is no further shown", ledger.subject());
    }
  }

  private void takeUp() throws InterruptedException {
    for (var row : ledger.begun()) {
      if (row.isAstray()) {
        isAway(row.part);
      } else if (row.ts().isPresent()) {
        streams.rest(row);
        written.add(row.part);
      }
    }
    if (mode == Mode.EDITING && written.isEmpty()) {
      mode = Mode.WRITING;
    }
  }

  /// Takes away what was begun nobody knows where. If that cannot be done, nothing more is shown before the end.
  private boolean isAway(String part) throws InterruptedException {
    var row = ledger.find(part);
    if (row.isEmpty() || streams.isAway(row.get())) {
      return true;
    }
    mode = Mode.SILENT;
    return false;
  }

  /// False when there will be nothing more.
  private boolean awaitNews() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        if (resting || mode == Mode.SILENT) {
          return false;
        }
        var wait = changed ? untilDue(System.nanoTime()) : Long.MAX_VALUE;
        if (wait <= 0) {
          changed = false;
          return true;
        }
        news.awaitNanos(wait);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Nothing is begun with what may be over in a moment, or no answer after all.
  private long untilDue(long now) {
    if (!written.isEmpty()) {
      return earliest - now;
    }
    if (draft.isEmpty()) {
      // What is whole already is said in one piece.
      return Long.MAX_VALUE;
    }
    return draft.length() + said.length() >= pace.characters()
        ? earliest - now
        : firstWord
            .map(first -> Math.max(earliest - now, first + pace.delay().toNanos() - now))
            .orElse(Long.MAX_VALUE);
  }

  private void write() throws InterruptedException {
    Optional<String> given;
    String whole;
    boolean isBroken;
    boolean isGrowing;
    String ahead;
    lock.lock();
    try {
      ahead = mention;
      given = instead;
      whole = said + draft;
      isGrowing = !draft.isEmpty();
      isBroken = broken;
      broken = false;
    } finally {
      lock.unlock();
    }
    if (isBroken && mode == Mode.WRITING && !written.isEmpty()) {
      mode = Mode.EDITING;
    }
    var words = given.orElseGet(() -> Markdown.beginning(whole));
    var safe = words.isBlank() ? words : ahead + words;
    var pause = mode == Mode.WRITING ? grow(safe, isGrowing) : edit(safe);
    earliest = System.nanoTime() + pause.toNanos();
  }

  /// How long to wait before more is written.
  ///
  /// @param isGrowing whether more is to come, for which it is worth beginning a message
  private Duration grow(String safe, boolean isGrowing) throws InterruptedException {
    while (mode == Mode.WRITING) {
      var present = growing.present(safe).filter(text -> !text.isBlank());
      var mayBegin = isGrowing && growing.count() < MESSAGES_MAX;
      if (present.isEmpty() || open.isEmpty() && !mayBegin) {
        return pace.interval();
      }
      var part = open.map(Open::part).orElse(part(growing.count() + 1));
      var shown = open.flatMap(it -> streams.shown(it.part())).orElse("");
      if (!present.get().startsWith(shown)) {
        mode = Mode.EDITING;
        return edit(safe);
      }
      var isOld =
          open.filter(it -> System.nanoTime() - it.since() > pace.life().toNanos()).isPresent();
      var full = open.isEmpty() ? Optional.<String>empty() : growing.fill(safe, shown, isOld);
      if (full.isPresent()) {
        open = Optional.empty();
        if (!heard(end(part, full.get())).isZero()) {
          mode = Mode.EDITING;
        }
        continue;
      }
      var wait = heard(open.isEmpty() ? begin(part, present.get()) : more(shown, present.get()));
      return wait.compareTo(pace.interval()) > 0 ? wait : pace.interval();
    }
    return pace.edits();
  }

  private Step begin(String part, String text) throws InterruptedException {
    if (refused.get()) {
      mode = Mode.SILENT;
      return new Step.NotNow(Duration.ZERO);
    }
    // It stands above what it led to; and without steps there is nothing for it to tell.
    card.awaitFirst();
    card.tellStepsOnly();
    touched = true;
    // What is too long for one message is gone on with at the next look.
    var words = text.substring(0, Utf8.fitting(text, Growing.MESSAGE_BYTES_MAX / 2));
    var step = streams.begin(part, words);
    if (step instanceof Step.There(var ts)) {
      open = Optional.of(new Open(part, ts, System.nanoTime()));
      written.add(part);
      // What did not fit into the beginning.
      changedAgain();
    }
    if (step instanceof Step.Refused(var error) && NOT_HERE.contains(error)) {
      refused.set(true);
    }
    if (step instanceof Step.Unsure && isAway(part)) {
      return new Step.NotNow(pace.interval());
    }
    if (step instanceof Step.Refused || step instanceof Step.Unsure) {
      LOG.infof("The answer of %s is not shown while it comes: %s", ledger.subject(), step);
      mode = Mode.SILENT;
    }
    return step;
  }

  private Step more(String shown, String text) throws InterruptedException {
    var at = open.orElseThrow();
    if (text.length() == shown.length()) {
      return new Step.There(at.ts());
    }
    var room = Growing.MESSAGE_BYTES_MAX - Utf8.bytes(shown);
    var more = text.substring(shown.length());
    return streams.more(
        at.part(), at.ts(), shown + more.substring(0, Utf8.fitting(more, Math.max(room, 0))));
  }

  /// Ends a message that is full with these words.
  private Step end(String part, String text) throws InterruptedException {
    var row = ledger.find(part).orElseThrow();
    return streams.become(row, text, true, Urgency.SIGN);
  }

  /// What is to be waited for; from a refusal or a loss on everything is edited.
  private Duration heard(Step step) {
    return switch (step) {
      case Step.There _ -> Duration.ZERO;
      case Step.NotNow(var pause) -> {
        changedAgain();
        yield pause.isZero() ? pace.interval() : pause;
      }
      case Step.Refused _, Step.Unsure _ -> {
        if (mode == Mode.WRITING) {
          mode = Mode.EDITING;
        }
        changedAgain();
        yield pace.edits();
      }
    };
  }

  private void changedAgain() {
    lock.lock();
    try {
      changed = true;
    } finally {
      lock.unlock();
    }
  }

  /// Brings what is there to what was said so far.
  private Duration edit(String safe) throws InterruptedException {
    open = Optional.empty();
    var pieces = growing.pieces(safe);
    for (var at = 0; at < written.size(); at++) {
      var row = ledger.find(written.get(at)).orElseThrow();
      if (at >= pieces.size()) {
        // It waits for what is still to come.
        streams.rest(row);
      } else if (!row.hash.equals(Hash.of(pieces.get(at)))) {
        var step = streams.become(row, pieces.get(at), true, Urgency.PROGRESS);
        if (!(step instanceof Step.There)) {
          return heard(step);
        }
      }
    }
    return pace.edits();
  }
}
