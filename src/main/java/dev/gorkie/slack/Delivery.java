package dev.gorkie.slack;

import dev.gorkie.Failure;
import dev.gorkie.slack.OutboxRows.Thing;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Brings to the thread what was decided, whoever decided it.
final class Delivery {

  static final String CARD = "card";
  static final Thing CARD_THING = new Thing(CARD, OutboxRow.CARD, "", Optional.empty(), "");
  static final String APOLOGY = "apology";

  private static final Logger LOG = Logger.getLogger(Delivery.class);
  private static final int EDITS_LOST_MAX = 3;

  private final Ledger ledger;
  private final Posts posts;
  private final Speaker speaker;
  private final Streams streams;
  private final Uploads uploads;

  Delivery(Ledger ledger, Posts posts, Speaker speaker, Streams streams, Uploads uploads) {
    this.ledger = ledger;
    this.posts = posts;
    this.speaker = speaker;
    this.streams = streams;
    this.uploads = uploads;
  }

  /// Says everything that is to be said, in order, and returns all there is then. Empty when there is no more time, and something is
  /// left.
  Optional<List<OutboxRow>> all(Patience patience) throws InterruptedException {
    while (true) {
      var all = ledger.all();
      var left = all.stream().filter(Delivery::isToBeSaid).toList();
      if (left.isEmpty()) {
        return Optional.of(all);
      }
      if (!one(left.getFirst(), left.size() > 1, patience)) {
        return Optional.empty();
      }
    }
  }

  // A card is no part of what is decided, and a file whose bytes nobody has was given up with a
  // reason.
  private static boolean isToBeSaid(OutboxRow row) {
    if (row.leftOver) {
      return false;
    }
    return switch (row.kind) {
      case OutboxRow.TEXT, OutboxRow.LIST -> row.is(OutboxRow.PENDING) || row.is(OutboxRow.SENT);
      case OutboxRow.FILE ->
          row.is(OutboxRow.SENT) || row.is(OutboxRow.PENDING) && row.body().isPresent();
      default -> false;
    };
  }

  /// Says one thing, or finds out that it cannot be said. False when there is no more time.
  boolean one(OutboxRow row, Patience patience) throws InterruptedException {
    return one(ledger.find(row.part).orElse(row), false, patience);
  }

  /// @param goesOn whether this is not the last of what the subject has to say
  private boolean one(OutboxRow row, boolean goesOn, Patience patience)
      throws InterruptedException {
    var now = row;
    while (true) {
      switch (step(now, goesOn)) {
        case Step.There _ -> {
          return true;
        }
        case Step.NotNow(var pause) -> {
          if (!patience.waits(pause)) {
            return false;
          }
          now = ledger.find(row.part).orElse(row);
        }
        case Step.Refused(var error) -> {
          refused(now, error);
          return true;
        }
        case Step.Unsure(var why) -> {
          LOG.warnf("Nobody can tell whether %s of %s is there: %s", row.part, row.subject, why);
          ledger.unsure(now);
          return true;
        }
      }
    }
  }

  private Step step(OutboxRow row, boolean goesOn) throws InterruptedException {
    if (row.isToGo()) {
      return streams.takeBack(row);
    }
    if (row.kind.equals(OutboxRow.LIST)) {
      var content = Content.read(row.body().orElse("{}"));
      return speaker.say(row, content, content.simpler(), Urgency.ANSWER);
    }
    if (row.kind.equals(OutboxRow.TEXT)) {
      var body = row.body().orElse("");
      return row.streams
          ? streams.become(row, body, goesOn, Urgency.ANSWER)
          : speaker.say(row, Content.markdown(body), Content.plain(body), Urgency.ANSWER);
    }
    try {
      var body = row.body();
      if (body.isEmpty()) {
        return uploads.goOn(row);
      }
      var bytes = body.get().getBytes(StandardCharsets.UTF_8);
      return uploads.show(
          row,
          new Uploads.Source(
              "answer-" + row.subject + ".md",
              bytes.length,
              new ByteArrayInputStream(bytes),
              Optional.empty()));
    } catch (Failure failure) {
      return failure.code() == SlackFailure.UNREACHABLE
          ? new Step.NotNow(uploads.pauseAfterFailure())
          : new Step.Refused(failure.code().toString());
    }
  }

  private void refused(OutboxRow row, String error) {
    LOG.warnf("Slack does not take %s of %s: %s", row.part, row.subject, error);
    var code = SlackFailure.of(error);
    // Where nothing can be said there is no use in apologising; another time it may be possible.
    var isAboutThePlace = code == SlackFailure.NO_PLACE || code == SlackFailure.NOT_ALLOWED;
    if (isAboutThePlace || row.part.equals(APOLOGY) || row.body().isEmpty()) {
      ledger.refused(row, !isAboutThePlace);
    } else {
      ledger.refused(row, text(APOLOGY, code.sentence()));
    }
  }

  static Thing text(String part, String safe) {
    return new Thing(part, OutboxRow.TEXT, "", Optional.of(safe), Hash.of(safe));
  }

  /// Brings the card to its last state, if there is one and as far as there is time. What is left is kept.
  ///
  /// @param last its last state, where it is known better than it was written down
  void finishCard(Optional<Content> last, Patience patience) throws InterruptedException {
    for (var lost = 0; lost < EDITS_LOST_MAX; ) {
      var card = ledger.find(CARD);
      var content = last.or(() -> card.flatMap(OutboxRow::body).map(Content::read));
      if (card.isEmpty() || content.isEmpty()) {
        return;
      }
      switch (finish(card.get(), content.get())) {
        case Ok<Boolean> _ -> {
          return;
        }
        case Refused<Boolean>(var error) -> {
          LOG.warnf("The card of %s is left as it is: %s", ledger.subject(), error);
          ledger.cardHasEnded(card.get());
          return;
        }
        case Later<Boolean>(var pause) -> {
          if (!patience.waits(pause)) {
            return;
          }
        }
        case Lost<Boolean> _ -> lost++;
      }
    }
  }

  private Result<Boolean> finish(OutboxRow card, Content content) throws InterruptedException {
    if (!card.is(OutboxRow.CONFIRMED)) {
      var found =
          card.is(OutboxRow.PENDING)
              ? Optional.<Step>empty()
              : speaker.find(card, Urgency.PROGRESS);
      if (found.isEmpty()) {
        // It has never appeared, and what it would tell is over.
        ledger.forget(card);
        return new Ok<>(true);
      }
      return switch (found.get()) {
        case Step.There(var ts) -> edit(card, ts, content);
        case Step.NotNow(var pause) -> new Later<>(pause);
        case Step.Refused(var error) -> new Refused<>(error);
        case Step.Unsure(var why) -> {
          ledger.unsure(card);
          yield new Lost<>(why);
        }
      };
    }
    return edit(card, card.ts().orElseThrow(), content);
  }

  private Result<Boolean> edit(OutboxRow card, String ts, Content content)
      throws InterruptedException {
    // A worker stays until it is there; what others go on with can wait for that.
    var result = posts.edit(ts, content, card.mark(), Urgency.SIGN);
    if (result instanceof Refused<String>(var error) && Content.isAboutBlocks(error)) {
      result = posts.edit(ts, content.simpler(), card.mark(), Urgency.SIGN);
    }
    if (result instanceof Ok<String>) {
      ledger.cardHasEnded(card);
    }
    return result.map(_ -> true);
  }

  /// Reads the thread back and takes away what of this subject is in it beside what was confirmed.
  void removeDoubles(Patience patience) throws InterruptedException {
    var rows = new HashMap<String, OutboxRow>();
    ledger.all().forEach(row -> rows.put(row.part, row));
    while (true) {
      switch (posts.readBack(Urgency.ANSWER)) {
        case Ok<List<Posts.Said>>(var said) -> {
          said.stream()
              .filter(one -> isDouble(one, rows))
              .map(Posts.Said::ts)
              .forEach(posts::takeBack);
          removeAstray(said, rows.values());
          return;
        }
        case Later<List<Posts.Said>>(var pause) -> {
          if (!patience.waits(pause)) {
            return;
          }
        }
        case Refused<List<Posts.Said>> _, Lost<List<Posts.Said>> _ -> {
          LOG.warnf("Nobody can tell whether %s said anything twice", ledger.subject());
          return;
        }
      }
    }
  }

  /// What somebody began who was not heard of since. A look at what nobody has marked tells.
  private void removeAstray(List<Posts.Said> said, Collection<OutboxRow> rows) {
    var known = rows.stream().flatMap(row -> row.ts().stream()).toList();
    said.stream()
        .filter(one -> !known.contains(one.ts()))
        .forEach(one -> posts.takeBackAstray(one, ""));
  }

  private boolean isDouble(Posts.Said said, Map<String, OutboxRow> rows) {
    return said.mark()
        .filter(mark -> mark.subject().equals(ledger.subject()))
        .map(mark -> Optional.ofNullable(rows.get(mark.part())))
        .filter(
            row ->
                row.isEmpty()
                    || row.get().is(OutboxRow.PENDING)
                    || row.get().is(OutboxRow.CONFIRMED)
                        && !row.get().ts().equals(Optional.of(said.ts())))
        .isPresent();
  }
}
