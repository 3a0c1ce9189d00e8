package dev.gorkie.slack;

import dev.gorkie.slack.Conversations.Written;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The end of a thread. Slack reads threads from their beginning only, a page at a time, so that of a long one a stretch before its
/// end is asked for, longer or shorter until it holds what is wanted.
final class Latest {

  private static final int PAGE_MAX = 200;
  private static final int PAGES_MAX = 5;
  // Each is a page, or five. By then the last second of half a year is found, and as well one
  // message half a year behind a burst.
  private static final int TRIES_MAX = 14;
  private static final BigDecimal SHORTER = BigDecimal.valueOf(16);
  private static final BigDecimal SECOND = BigDecimal.ONE;
  // Of a ts: microseconds.
  private static final int DIGITS = 6;

  private final Function<Map<String, String>, Wire.Originals> call;
  private final Map<String, String> usual = new LinkedHashMap<>();
  private final String root;
  private final Optional<String> oldest;
  private final Optional<String> latest;
  // As the root tells, where it was read.
  private String lastReply = "";

  /// @param isWhole whether this goes to the end
  private record Stretch(List<Written> messages, boolean isWhole) {}

  /// @param oldest before this and at this nothing is of interest
  /// @param latest behind this and at this nothing is of interest
  Latest(
      Function<Map<String, String>, Wire.Originals> call,
      String channel,
      String root,
      Optional<String> oldest,
      Optional<String> latest) {
    this.call = call;
    this.root = root;
    this.oldest = oldest;
    this.latest = latest;
    usual.put("channel", channel);
    usual.put("ts", root);
    usual.put("limit", Integer.toString(PAGE_MAX));
    latest.ifPresent(ts -> usual.put("latest", ts));
  }

  /// The oldest first. How a thread's messages lie in time nobody knows: a stretch that turned out too long, or too short, is a bound for
  /// the next one, and these are sought from both ends in turn, since what is crowded may be at either. Where none holds so many, those of
  /// the longest that goes to the end are returned.
  List<Written> messages(int most) {
    var found = from(oldest);
    var best = found;
    var early = new BigDecimal(oldest.orElse(root));
    var end = new BigDecimal(end(found));
    var late = end;
    for (var tries = 0; tries < TRIES_MAX; tries++) {
      if (found.isWhole() && (found.messages().size() >= most || tries == 0)) {
        return last(found, most);
      }
      if (found.isWhole()) {
        best = found;
      } else {
        early = early.max(beforeLast(found, most));
      }
      var begin = tries % 2 == 0 ? fromBehind(early, late, end) : fromBefore(early, late);
      found = from(Optional.of(begin.toPlainString()));
      if (found.isWhole()) {
        late = begin;
      } else {
        early = early.max(begin);
      }
    }
    return last(found.isWhole() ? found : best, most);
  }

  /// From there on there is enough.
  private static BigDecimal beforeLast(Stretch found, int most) {
    var seen = found.messages();
    return seen.size() > most
        ? new BigDecimal(seen.get(seen.size() - 1 - most).ts())
        : BigDecimal.ZERO;
  }

  private static BigDecimal fromBehind(BigDecimal early, BigDecimal late, BigDecimal end) {
    var tooLong = end.subtract(early);
    var tooShort = end.subtract(late);
    var span =
        tooShort.signum() == 0
            ? tooLong.divide(SHORTER, MathContext.DECIMAL64)
            : tooShort.multiply(tooLong).sqrt(MathContext.DECIMAL64);
    return end.subtract(span.setScale(DIGITS, RoundingMode.UP)).max(early);
  }

  private static BigDecimal fromBefore(BigDecimal early, BigDecimal late) {
    var gap = late.subtract(early);
    var span = gap.compareTo(SECOND) > 0 ? gap.sqrt(MathContext.DECIMAL64) : gap;
    return early.add(span.setScale(DIGITS, RoundingMode.DOWN)).min(late);
  }

  private static List<Written> last(Stretch found, int most) {
    var all = found.messages();
    return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
  }

  /// Where the thread ends, as far as is known.
  private String end(Stretch found) {
    return latest
        .or(() -> Optional.of(lastReply).filter(ts -> !ts.isEmpty()))
        .orElseGet(() -> found.messages().isEmpty() ? root : found.messages().getLast().ts());
  }

  private Stretch from(Optional<String> since) {
    var form = new LinkedHashMap<>(usual);
    since.ifPresent(ts -> form.put("oldest", ts));
    var messages = new ArrayList<Written>();
    for (var page = 0; page < PAGES_MAX; page++) {
      var replies = call.apply(form);
      noteLastReply(replies);
      Conversations.read(replies.messages).stream()
          .filter(one -> oldest.filter(ts -> one.ts().compareTo(ts) <= 0).isEmpty())
          // A thread's root comes with every first page, whatever was asked for.
          .filter(one -> since.filter(ts -> one.ts().compareTo(ts) < 0).isEmpty())
          .filter(one -> latest.filter(ts -> one.ts().compareTo(ts) >= 0).isEmpty())
          .forEach(messages::add);
      var cursor = Conversations.cursor(replies.responseMetadata);
      if (cursor.isEmpty()) {
        return new Stretch(messages, true);
      }
      form.put("cursor", cursor);
    }
    return new Stretch(messages, false);
  }

  private void noteLastReply(Wire.Originals replies) {
    if (lastReply.isEmpty() && replies.messages != null && !replies.messages.isEmpty()) {
      lastReply = Conversations.json(replies.messages.getFirst()).path("latest_reply").asText();
    }
  }
}
