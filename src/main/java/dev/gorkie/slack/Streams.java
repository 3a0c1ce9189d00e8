package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import dev.gorkie.slack.OutboxRows.Thing;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Texts that are said while they come: begun, gone on with, and brought to what they are to be in the end.
///
/// What was lost on the way to Slack is never said again there: as soon as it is not certain what stands in a message,
/// the message is ended and set by an edit.
final class Streams {

  // Slack's words: somebody still writes there, and there is no such message.
  private static final String STILL_OPEN = "streaming_state_conflict";
  private static final Set<String> GONE = Set.of("message_not_found", "cant_update_message");

  private final Ledger ledger;
  private final Posts posts;
  private final Speaker speaker;
  private final Duration settling;
  // By part, what certainly stands in a message that takes more.
  private final Map<String, String> shown = new ConcurrentHashMap<>();
  // The parts that surely take no more.
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  Streams(Ledger ledger, Posts posts, Speaker speaker, Duration settling) {
    this.ledger = ledger;
    this.posts = posts;
    this.speaker = speaker;
    this.settling = settling;
  }

  /// What certainly stands in a message that takes more.
  Optional<String> shown(String part) {
    return Optional.ofNullable(shown.get(part));
  }

  /// Begins a message with these words.
  Step begin(String part, String text) throws InterruptedException {
    var thing = new Thing(part, OutboxRow.TEXT, Hash.of(text), Optional.empty(), "");
    var beginning = new Intent(() -> ledger.begin(thing));
    return switch (posts.begin(text, Urgency.PROGRESS, beginning)) {
      case Ok<String>(var ts) -> {
        if (!ledger.begun(beginning.row().orElseThrow(), ts)) {
          throw new HoldLost(ledger.subject() + ", " + part + " is another one's");
        }
        shown.put(part, text);
        yield new Step.There(ts);
      }
      case Refused<String>(var error) -> {
        ledger.notSaid(beginning.row().orElseThrow());
        yield new Step.Refused(error);
      }
      case Later<String>(var pause) -> {
        beginning.row().ifPresent(ledger::notTried);
        yield new Step.NotNow(pause);
      }
      case Lost<String>(var why) -> new Step.Unsure(why);
    };
  }

  /// Goes on with a message up to this text.
  Step more(String part, String ts, String text) throws InterruptedException {
    var before = shown.getOrDefault(part, "");
    return switch (posts.append(ts, text.substring(before.length()), Urgency.PROGRESS)) {
      case Ok<String> _ -> {
        shown.put(part, text);
        yield new Step.There(ts);
      }
      case Later<String>(var pause) -> new Step.NotNow(pause);
      case Refused<String>(var error) -> {
        shown.remove(part);
        yield new Step.Refused(error);
      }
      case Lost<String>(var why) -> {
        shown.remove(part);
        yield new Step.Unsure(why);
      }
    };
  }

  /// Makes of what was begun this text and nothing else.
  ///
  /// @param goesOn whether we are still at work
  Step become(OutboxRow row, String text, boolean goesOn, Urgency urgency)
      throws InterruptedException {
    if (row.ts().isEmpty()) {
      return row.isAstray()
          ? speaker.find(row, urgency).orElseGet(() -> new Step.NotNow(Duration.ZERO))
          : speaker.say(row, Content.markdown(text), Content.plain(text), urgency);
    }
    var ts = row.ts().get();
    var before = shown(row.part);
    var rest = before.filter(text::startsWith).map(it -> text.substring(it.length()));
    if (!ended.contains(row.part)) {
      switch (end(row, ts, rest.orElse(""), goesOn, urgency)) {
        case Ok<String> _ when rest.isPresent() -> {
          return there(row, ts, text);
        }
        case Later<String>(var pause) -> {
          return new Step.NotNow(pause);
        }
        // An edit shows whether it takes more.
        case Ok<String> _, Refused<String> _, Lost<String> _ -> {}
      }
    }
    return edit(row, ts, text, urgency);
  }

  private Result<String> end(OutboxRow row, String ts, String rest, boolean goesOn, Urgency urgency)
      throws InterruptedException {
    var result = posts.end(ts, rest, row.mark(), goesOn, urgency);
    switch (result) {
      case Ok<String> _ -> {
        shown.remove(row.part);
        ended.add(row.part);
      }
      case Refused<String> _, Lost<String> _ -> shown.remove(row.part);
      case Later<String> _ -> {}
    }
    return result;
  }

  private Step edit(OutboxRow row, String ts, String text, Urgency urgency)
      throws InterruptedException {
    var result = posts.edit(ts, Content.markdown(text), row.mark(), urgency);
    if (result instanceof Refused<String>(var error) && Content.isAboutBlocks(error)) {
      result = posts.edit(ts, Content.plain(text), row.mark(), urgency);
    }
    return switch (result) {
      case Ok<String> _ -> {
        ended.add(row.part);
        yield there(row, ts, text);
      }
      case Later<String>(var pause) -> new Step.NotNow(pause);
      case Lost<String> _ -> new Step.NotNow(settling);
      case Refused<String>(var error) when error.equals(STILL_OPEN) -> {
        ended.remove(row.part);
        yield new Step.NotNow(settling);
      }
      case Refused<String>(var error) when GONE.contains(error) -> {
        ledger.anew(row);
        yield new Step.NotNow(Duration.ZERO);
      }
      case Refused<String>(var error) -> new Step.Refused(error);
    };
  }

  private Step there(OutboxRow row, String ts, String text) {
    if (!ledger.shows(row, ts, text)) {
      throw new HoldLost(ledger.subject() + ", " + row.part + " is another one's");
    }
    return new Step.There(ts);
  }

  /// Ends what is not gone on with, and leaves it as it stands for now.
  void rest(OutboxRow row) throws InterruptedException {
    if (row.ts().isPresent() && !ended.contains(row.part)) {
      end(row, row.ts().get(), "", true, Urgency.SIGN);
    }
  }

  /// Whether what was begun nobody knows where surely is not there any more: looking for it takes it away.
  boolean isAway(OutboxRow row) throws InterruptedException {
    return speaker.find(row, Urgency.SIGN).isEmpty();
  }

  /// Takes away what came to nothing.
  Step takeBack(OutboxRow row) throws InterruptedException {
    if (row.isAstray()) {
      // Looking for it takes it away.
      return speaker
          .find(row, Urgency.ANSWER)
          .filter(found -> !(found instanceof Step.There))
          .orElseGet(() -> forgotten(row));
    }
    if (row.ts().isEmpty()) {
      return forgotten(row);
    }
    var ts = row.ts().get();
    if (!ended.contains(row.part)) {
      switch (end(row, ts, "", false, Urgency.ANSWER)) {
        case Later<String>(var pause) -> {
          return new Step.NotNow(pause);
        }
        // It may still be open.
        case Lost<String> _ -> {
          return new Step.NotNow(settling);
        }
        case Ok<String> _, Refused<String> _ -> {}
      }
    }
    return switch (posts.remove(ts)) {
      case Ok<String> _ -> forgotten(row);
      case Refused<String>(var error) when error.equals("message_not_found") -> forgotten(row);
      case Refused<String>(var error) -> new Step.Refused(error);
      case Later<String>(var pause) -> new Step.NotNow(pause);
      case Lost<String> _ -> new Step.NotNow(settling);
    };
  }

  private Step forgotten(OutboxRow row) {
    ledger.forget(row);
    return new Step.There("");
  }
}
