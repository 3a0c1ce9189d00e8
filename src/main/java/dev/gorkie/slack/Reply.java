package dev.gorkie.slack;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.slack.OutboxRows.Thing;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// What a turn tells its thread: a sign at once, a card while it works, and one last word.
///
/// The card is written in the background and never fails the turn. The last word is decided in the transaction that
/// ends the turn and delivered after it, by whoever has the thread then. Used by one virtual thread at a time.
///
/// Whatever speaks throws `HoldLost` when the thread is not ours any more.
public final class Reply implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Reply.class);

  // A line in Slack's list of conversations; the title itself may have 200.
  private static final int TITLE_CHARACTERS_MAX = 80;
  private static final int SUMMARY_BYTES_MAX = 3_000;
  private static final int COMMENT_CHARACTERS_MAX = 500;
  private static final String NOTHING_SAID = "I am done and have nothing to add.";
  private static final String REST_IS_IN_THE_FILE = "\n\n*The whole answer is in the file below.*";
  private static final String STOPPED = "Stopped.";
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

  // The answer is there already, and a card that is not ready in a minute gets ready later.
  private static final Duration CLOSING_MAX = Duration.ofMinutes(1);
  private static final Duration CLOSING_MIN = Duration.ofSeconds(5);

  private final Ledger ledger;
  private final Line line;
  private final Delivery delivery;
  private final Uploads uploads;
  private final LiveCard card;
  private final LiveAnswer answer;
  private final Status status;
  private final Deadline deadline;
  private final boolean isDirect;
  private final boolean isSuccessor;
  private String mention = "";
  private boolean stands;
  private boolean isSaid;
  private boolean isSignLeft;

  /// @param isDirect whether nobody else reads along
  /// @param isSuccessor whether another one spoke for this subject before
  Reply(
      Ledger ledger,
      Line line,
      Delivery delivery,
      Uploads uploads,
      LiveCard card,
      LiveAnswer answer,
      Status status,
      Deadline deadline,
      boolean isDirect,
      boolean isSuccessor) {
    this.ledger = ledger;
    this.line = line;
    this.delivery = delivery;
    this.uploads = uploads;
    this.card = card;
    this.answer = answer;
    this.status = status;
    this.deadline = deadline;
    this.isDirect = isDirect;
    this.isSuccessor = isSuccessor;
  }

  /// Shows at once that somebody is at work; returns before Slack has heard of it.
  ///
  /// @param asked what was asked, for the title of a conversation that begins
  public void acknowledge(String asked) {
    status.show(SafeText.line(asked, TITLE_CHARACTERS_MAX));
  }

  /// The sign of one before us, who left it, goes when this is closed.
  public void adoptSign() {
    status.adopt();
  }

  /// Shows that a person is waited for, from when this is closed on.
  public void suspend() {
    status.suspend();
  }

  /// Marks a message that came while the turn ran as taken up.
  public void noticed(String messageTs) {
    status.noticed(messageTs);
  }

  /// Something has begun. A known id begins again.
  public void step(String id, String title, String detail) {
    card.change(it -> it.step(id, title, detail));
  }

  public void stepDone(String id, String output) {
    card.change(it -> it.stepDone(id, output));
  }

  public void stepFailed(String id, String output) {
    card.change(it -> it.stepFailed(id, output));
  }

  /// A row that was never running: waking up, trying again, what the agent said in between.
  public void note(String text) {
    card.change(it -> it.note(text));
  }

  /// Whatever was running is not running any more.
  public void stepsInterrupted() {
    card.change(Card::interrupted);
  }

  /// What the turns before this one have cost in this thread.
  public void costBefore(BigDecimal dollars) {
    card.quietly(it -> it.costBefore(dollars));
  }

  /// What the turn has used up until now, for the card's last line.
  public void used(Usage usage) {
    card.change(it -> it.used(usage));
  }

  /// This person is named ahead of whatever the turn comes to. Where nobody else reads, nobody has to be.
  public void mentions(String user) {
    if (!isDirect) {
      mention += Mention.of(user);
      answer.mentions(mention);
    }
  }

  /// With these words, whatever it comes to, every answer of this turn begins.
  public void answerBeginsWith(String preface) {
    answer.beginsWith(preface);
  }

  /// A piece of what may become an answer. Somebody may see it at once.
  public void say(String delta) {
    answer.say(delta);
  }

  /// What was being said is an answer, or its end; all answers so far.
  public void answered(String text) {
    answer.answered(text);
  }

  /// What was being said is no answer.
  ///
  /// @param startsOver whether the same is tried again
  public void takeBack(boolean startsOver) {
    answer.forget(startsOver);
  }

  /// From here on nothing of the answer is written before it is decided.
  public void rest() throws InterruptedException {
    answer.rest();
  }

  /// Whether people see something of an answer already, which stays whatever it comes to.
  public boolean isAnswerSeen() throws InterruptedException {
    rest();
    return answer.shownIn() > 0;
  }

  /// Writes down what the turn comes to, and the card's last state. Only inside a transaction of the caller's: from its
  /// end on this is what will be said. Nothing of an answer is being written then.
  public void decide(LastWord word) {
    switch (word) {
      case LastWord.Answer(var markdown) -> {
        ledger.noteEndOfCard(card.end(Card.Ending.DONE));
        decideAnswer(Markdown.neutralise(markdown), "");
      }
      case LastWord.Apology(var sentence) -> {
        ledger.noteEndOfCard(card.end(Card.Ending.FAILED));
        note(List.of());
        ledger.note(Delivery.text(Delivery.APOLOGY, mention + Markdown.neutralise(sentence)));
      }
      case LastWord.BrokenOff(var markdown, var sentence) -> {
        ledger.noteEndOfCard(card.end(Card.Ending.FAILED));
        decideAnswer(Markdown.neutralise(markdown), "\n\n" + Markdown.neutralise(sentence));
      }
      case LastWord.Stopped() -> {
        ledger.noteEndOfCard(card.end(Card.Ending.STOPPED));
        decideStop();
      }
      case LastWord.Nothing() -> {
        ledger.noteEndOfCard(card.end(Card.Ending.STOPPED));
        note(List.of());
      }
    }
  }

  /// What was decided is written down: the transaction has come to its end.
  public void stands() {
    stands = true;
  }

  /// What people have seen of an answer stays.
  private void decideStop() {
    var shown = answer.shownIn() > 0 ? Markdown.neutralise(answer.soFar().strip()) : "";
    if (shown.isEmpty()) {
      note(List.of());
      ledger.note(Delivery.text("stopped", STOPPED));
    } else {
      decideAnswer(shown, "\n\n_" + STOPPED + "_");
    }
  }

  private void decideAnswer(String safe, String after) {
    var whole = safe + after;
    var pieces = whole.isBlank() ? List.<String>of() : answer.pieces(mention + whole);
    if (pieces.isEmpty()) {
      note(List.of(mention + NOTHING_SAID));
    } else if (pieces.size() <= LiveAnswer.MESSAGES_MAX) {
      note(pieces);
    } else {
      note(beginning(safe, pieces, REST_IS_IN_THE_FILE + after));
      ledger.note(
          new Thing("answer-file", OutboxRow.FILE, "Answer", Optional.of(safe), Hash.of(safe)));
    }
  }

  /// What is said of an answer that is too long for messages: as much as people have seen already, or a summary.
  private List<String> beginning(String safe, List<String> pieces, String after) {
    var seen = Math.min(answer.shownIn(), LiveAnswer.MESSAGES_MAX);
    if (seen == 0) {
      return List.of(mention + Markdown.cut(safe, SUMMARY_BYTES_MAX).getFirst() + after);
    }
    var kept = new ArrayList<>(pieces.subList(0, seen));
    kept.add(kept.removeLast() + after);
    return kept;
  }

  /// What was begun becomes one of these, or goes.
  private void note(List<String> pieces) {
    var things =
        IntStream.range(0, pieces.size())
            .mapToObj(at -> Delivery.text(LiveAnswer.part(at + 1), pieces.get(at)))
            .toList();
    if (answer.isTouched()) {
      ledger.decide(things);
    } else {
      things.forEach(ledger::note);
    }
  }

  /// Says what was decided, by us or by one before us, as far as it is not there. False when time is up first: the
  /// rest waits for whoever goes on. What cannot be said at all, or what nobody can tell of, is not waited for.
  public boolean deliver() throws InterruptedException {
    card.rest();
    // It stands above what it led to.
    card.awaitFirst();
    var patience = new Patience(deadline, line);
    var said = delivery.all(patience);
    if (said.isEmpty()) {
      return false;
    }
    if (isSuccessor || said.get().stream().anyMatch(row -> row.attempts > 1)) {
      delivery.removeDoubles(patience);
    }
    isSaid = true;
    return true;
  }

  /// Whether this turn has shown the file with this content.
  public boolean hasShown(String sha256) {
    return ledger.find(filePart(sha256)).filter(row -> row.is(OutboxRow.CONFIRMED)).isPresent();
  }

  /// Streams a file into the thread and returns its id. The same content is shown once.
  ///
  /// @throws Failure when Slack does not take it, or it is not as long as was said
  public String upload(String sha256, String name, String title, long bytes, InputStream content)
      throws InterruptedException {
    var thing = thing(sha256, name, title, bytes);
    var source = new Uploads.Source(name, bytes, content, known(sha256));
    return shown(thing, row -> uploads.show(row, source));
  }

  private static Optional<String> known(String sha256) {
    return Optional.of(sha256).filter(it -> SHA_256.matcher(it).matches());
  }

  private Thing thing(String sha256, String name, String title, long bytes) {
    if (bytes <= 0) {
      throw new Failure(SlackFailure.EMPTY_FILE, "nothing to upload");
    }
    var shown = SafeText.line(title.isBlank() ? name : title, Uploads.NAME_CHARACTERS_MAX);
    return new Thing(filePart(sha256), OutboxRow.FILE, shown, Optional.empty(), sha256);
  }

  @FunctionalInterface
  private interface Showing {
    Step of(OutboxRow row) throws InterruptedException;
  }

  private String shown(Thing thing, Showing showing) throws InterruptedException {
    var patience = new Patience(deadline, line);
    while (true) {
      var row = ledger.put(thing);
      switch (showing.of(row)) {
        case Step.There(var fileId) -> {
          return fileId;
        }
        case Step.NotNow(var pause) -> {
          if (!patience.waits(pause)) {
            throw new Failure(SlackFailure.BUSY, "Slack wants more time than there is");
          }
        }
        case Step.Refused(var error) -> {
          ledger.refused(row, true);
          throw new Failure(SlackFailure.of(error), "a file was refused: " + error);
        }
        case Step.Unsure(var why) -> {
          ledger.unsure(row);
          throw new Failure(SlackFailure.UNSURE, why);
        }
      }
    }
  }

  /// A file that is shown with others.
  public record Piece(String sha256, String name, String title, long bytes, Opening content) {

    /// Gives the bytes from their beginning, each time it is asked.
    @FunctionalInterface
    public interface Opening {
      InputStream open() throws IOException;
    }
  }

  /// Streams several files into the thread, which shows them in one message with their names. What did not come to it, and why.
  public Map<Piece, Failure> uploadTogether(List<Piece> pieces) throws InterruptedException {
    var failed = new LinkedHashMap<Piece, Failure>();
    var brought = new LinkedHashMap<Piece, Thing>();
    var rows = new LinkedHashMap<String, OutboxRow>();
    for (var piece : pieces) {
      try {
        var thing = thing(piece.sha256(), piece.name(), piece.title(), piece.bytes());
        var row = ledger.put(thing);
        if (row.is(OutboxRow.PENDING)) {
          rows.put(brought(row, piece), row);
        }
        // One that may be shown already is looked for like any.
        brought.put(piece, thing);
      } catch (Failure failure) {
        failed.put(piece, failure);
      }
    }
    if (rows.size() > 1) {
      showTogether(rows);
    }
    for (var one : brought.entrySet()) {
      try {
        shown(one.getValue(), this::alone);
      } catch (Failure failure) {
        failed.put(one.getKey(), failure);
      }
    }
    return failed;
  }

  private Step alone(OutboxRow row) throws InterruptedException {
    return row.is(OutboxRow.CONFIRMED)
        ? new Step.There(row.fileId().orElseThrow())
        : uploads.goOn(row);
  }

  private String brought(OutboxRow row, Piece piece) throws InterruptedException {
    var patience = new Patience(deadline, line);
    while (true) {
      try (var content = piece.content().open()) {
        var source =
            new Uploads.Source(piece.name(), piece.bytes(), content, known(piece.sha256()));
        switch (uploads.bring(row, source)) {
          case Result.Ok<String>(var fileId) -> {
            return fileId;
          }
          case Result.Refused<String>(var error) -> {
            ledger.refused(row, true);
            throw new Failure(SlackFailure.of(error), "a file was refused: " + error);
          }
          case Result.Later<String>(var pause) -> {
            if (!patience.waits(pause)) {
              throw new Failure(SlackFailure.BUSY, "Slack wants more time than there is");
            }
          }
          case Result.Lost<String>(var why) -> {
            if (!patience.waits(uploads.pauseAfterFailure())) {
              throw new Failure(SlackFailure.UNREACHABLE, why);
            }
          }
        }
      } catch (IOException e) {
        throw new Failure(SlackFailure.UNREACHABLE, "a file could not be read", e);
      }
    }
  }

  private void showTogether(Map<String, OutboxRow> rows) throws InterruptedException {
    var names =
        rows.values().stream()
            .map(row -> SafeText.escape(row.title))
            .collect(Collectors.joining(", "));
    var comment = SafeText.clamp(rows.size() + " files: " + names, COMMENT_CHARACTERS_MAX);
    var patience = new Patience(deadline, line);
    // Whatever else it comes to, each is gone on with for itself.
    while (uploads.completeTogether(rows, comment) instanceof Step.NotNow(var pause)
        && patience.waits(pause)) {
      LOG.debugf("%d files wait to be shown", rows.size());
    }
  }

  /// The hash is the sandbox's word and becomes part of a key.
  private static String filePart(String sha256) {
    return "file-" + (SHA_256.matcher(sha256).matches() ? sha256 : Hash.of(sha256));
  }

  /// Brings the card to its last state and takes the sign of work away.
  @Override
  public void close() {
    try {
      answer.rest();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    var closing = deadline.clock().instant().plus(closingTime());
    card.close(closingTime());
    // One that may not be written down is told anew by whoever goes on.
    var last = stands ? card.last() : Optional.<Content>empty();
    try {
      delivery.finishCard(last, new Patience(new Deadline(closing, deadline.clock()), line));
    } catch (HoldLost _) {
      // The card is another worker's to end.
    } catch (RuntimeException e) {
      LOG.warnf(e, "The card of %s is left to whoever looks after it", ledger.subject());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    // One who only had to say what another had decided has no card of his own.
    if (isSaid || last.isPresent()) {
      isSignLeft = !status.clear();
    } else {
      // Somebody goes on with it.
      status.leave();
    }
  }

  /// Whether, now that it is closed, somebody is still shown at work where nobody is.
  public boolean isSignLeft() {
    return isSignLeft;
  }

  private Duration closingTime() {
    var left = deadline.left();
    if (left.compareTo(CLOSING_MIN) < 0) {
      return CLOSING_MIN;
    }
    return left.compareTo(CLOSING_MAX) < 0 ? left : CLOSING_MAX;
  }
}
