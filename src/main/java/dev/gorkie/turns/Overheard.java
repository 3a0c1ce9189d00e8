package dev.gorkie.turns;

import dev.gorkie.Failure;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Message;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.Conversations.Written;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.MessageText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/// What people wrote in a thread that comes to us as no message of its own: while we did not follow it, or before we knew that we
/// do. What comes by itself Pi hears once, and not from here.
final class Overheard {

  private static final Logger LOG = Logger.getLogger(Overheard.class);
  private static final int MESSAGES_MAX = 50;

  private final Claim claim;
  private final Conversations conversations;
  private final UnaryOperator<String> nameOf;
  private final Limits limits;

  /// @param late how long after it was written a message may come and nothing have been written below it
  /// @param onItsWay how long after it was written one that names us may still come
  record Limits(Duration late, Duration onItsWay) {}

  Overheard(Claim claim, Conversations conversations, UnaryOperator<String> nameOf, Limits limits) {
    this.claim = claim;
    this.conversations = conversations;
    this.nameOf = nameOf;
    this.limits = limits;
  }

  /// Above the message, in a thread that we do not follow, since we were spoken to last.
  Optional<String> before(MessageEvent event) {
    return event.direct() || event.threadTs().isEmpty()
        ? Optional.empty()
        : claim
            .unread()
            .flatMap(
                unread ->
                    told(
                        event,
                        Optional.of(unread).filter(ts -> !ts.isEmpty()),
                        Optional.of(event.ts())));
  }

  /// Below the message that began a thread, where it came so late that others were there first: then nobody knew yet that
  /// they were for us.
  Optional<String> after(Message first) {
    var event = first.event();
    var isLate = first.acceptedAt().isAfter(writtenAt(event.ts()).plus(limits.late()));
    return !event.direct() && event.threadTs().isEmpty() && isLate
        ? told(event, Optional.of(event.ts()), Optional.of(timestamp(first.acceptedAt())))
        : Optional.empty();
  }

  private Optional<String> told(
      MessageEvent event, Optional<String> oldest, Optional<String> latest) {
    try {
      var lines =
          conversations.thread(
              claim.thread().team(), event.channel(), event.rootTs(), oldest, latest, MESSAGES_MAX);
      var news = withoutWhatComes(lines, event);
      return news.isEmpty() ? Optional.empty() : Optional.of(Transcript.of(news, nameOf));
    } catch (Failure failure) {
      LOG.warnf("Turn %d: the thread around it: %s", claim.turn(), failure.getMessage());
      return Optional.of("(What was written here could not be read.)");
    }
  }

  private List<Written> withoutWhatComes(List<Written> lines, MessageEvent event) {
    var come = claim.known(event.channel(), lines.stream().map(Written::ts).toList());
    return lines.stream()
        .filter(line -> !MessageText.isAside(line.text()))
        .filter(line -> !come.contains(line.ts()))
        .filter(line -> !isOnItsWay(line, event))
        .toList();
  }

  private boolean isOnItsWay(Written line, MessageEvent event) {
    return event.ourUser().filter(us -> line.text().contains("<@" + us)).isPresent()
        && writtenAt(line.ts()).isAfter(Instant.now().minus(limits.onItsWay()));
  }

  /// Slack's names for messages are seconds with a fraction.
  private static Instant writtenAt(String ts) {
    return Instant.ofEpochSecond(Long.parseLong(ts.substring(0, ts.indexOf('.'))));
  }

  private static String timestamp(Instant at) {
    return "%d.%06d".formatted(at.getEpochSecond(), at.getNano() / 1_000);
  }
}
