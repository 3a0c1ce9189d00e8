package dev.gorkie.slack;

import dev.gorkie.HoldLost;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Says a thing exactly once: it writes down that it is about to, and whoever finds it so looks twice whether it is
/// there before it is said again.
final class Speaker {

  private static final int LOOKS = 2;
  private static final int LOST_LOOKS_MAX = 3;
  private static final int DOUBLED_MAX = 5;

  private final Ledger ledger;
  private final Posts posts;
  private final Duration settling;

  /// @param settling after which what was posted can be read
  Speaker(Ledger ledger, Posts posts, Duration settling) {
    this.ledger = ledger;
    this.posts = posts;
    this.settling = settling;
  }

  /// One try, at most one post. What is there already is not said.
  ///
  /// @param simpler what to say where Slack does not take the content's blocks
  Step say(OutboxRow row, Content content, Content simpler, Urgency urgency)
      throws InterruptedException {
    if (row.is(OutboxRow.SENT) || row.is(OutboxRow.AMBIGUOUS)) {
      var found = find(row, urgency);
      if (found.isPresent()) {
        return found.get();
      }
    }
    return row.is(OutboxRow.CONFIRMED)
        ? new Step.There(row.ts().orElseThrow())
        : post(row, content, simpler, urgency);
  }

  /// Where a thing is that may be there. Empty, and written down so, when it surely is not.
  Optional<Step> find(OutboxRow row, Urgency urgency) throws InterruptedException {
    var looks = 0;
    var lost = 0;
    while (looks < LOOKS) {
      Thread.sleep(settling);
      switch (posts.readBack(urgency)) {
        case Ok<List<Posts.Said>>(var said) -> {
          looks++;
          if (row.isAstray()) {
            // A later turn's may be open, and is as unmarked as the one that is looked for.
            said.stream()
                .filter(one -> one.bare().isPresent() && !ledger.knows(one.ts()))
                .forEach(one -> posts.takeBackAstray(one, row.title));
          }
          var found =
              said.stream()
                  .filter(one -> one.mark().equals(Optional.of(row.mark())))
                  .map(Posts.Said::ts)
                  .findFirst();
          if (found.isPresent()) {
            return Optional.of(there(row, found.get(), false));
          }
        }
        case Later<List<Posts.Said>>(var pause) -> {
          return Optional.of(new Step.NotNow(pause));
        }
        case Refused<List<Posts.Said>>(var error) -> {
          return Optional.of(new Step.Unsure("conversations.replies: " + error));
        }
        case Lost<List<Posts.Said>>(var why) -> {
          if (++lost == LOST_LOOKS_MAX) {
            return Optional.of(new Step.Unsure(why));
          }
        }
      }
    }
    ledger.notSaid(row);
    return Optional.empty();
  }

  private Step post(OutboxRow row, Content content, Content simpler, Urgency urgency)
      throws InterruptedException {
    var sending = new Intent(() -> ledger.sending(row));
    var result = posts.post(content, row.mark(), urgency, sending);
    if (result instanceof Refused<String>(var error)
        && Content.isAboutBlocks(error)
        && !content.equals(simpler)) {
      result = posts.postInstead(simpler, row.mark(), urgency);
    }
    return switch (result) {
      case Ok<String>(var ts) -> there(row, ts, true);
      case Refused<String>(var error) -> {
        ledger.notSaid(row);
        yield new Step.Refused(error);
      }
      case Later<String>(var pause) -> {
        sending.row().ifPresent(ledger::notTried);
        yield new Step.NotNow(pause);
      }
      case Lost<String> _ ->
          new Step.NotNow(settling.multipliedBy(1L << Math.min(row.attempts, DOUBLED_MAX)));
    };
  }

  private Step there(OutboxRow row, String ts, boolean isMine) {
    if (ledger.confirm(row, ts)) {
      return new Step.There(ts);
    }
    // While the row is open its new holder may find this message and take it for the answer; if
    // not, it is he who removes it. Ours is the one that comes after.
    var confirmed = ledger.find(row.part).flatMap(OutboxRow::ts);
    if (isMine && confirmed.filter(other -> !other.equals(ts)).isPresent()) {
      posts.takeBack(ts);
    }
    throw new HoldLost(ledger.subject() + ", " + row.part + " is another one's");
  }
}
