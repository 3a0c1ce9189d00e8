package dev.gorkie.slack;

import dev.gorkie.slack.Conversations.Written;
import java.math.BigDecimal;
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
  private static final int TRIES_MAX = 6;
  private static final BigDecimal LESS_OR_MORE = BigDecimal.valueOf(4);

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

  /// The oldest first.
  List<Written> messages(int most) {
    var begin = oldest.orElse(root);
    var found = from(oldest);
    var span = BigDecimal.ZERO;
    for (var tries = 0; tries < TRIES_MAX && !isEnough(found, begin, most); tries++) {
      span =
          span.signum() == 0
              ? new BigDecimal(end(found))
                  .subtract(new BigDecimal(begin))
                  .divide(LESS_OR_MORE, RoundingMode.UP)
              : found.isWhole()
                  ? span.multiply(LESS_OR_MORE)
                  : span.divide(LESS_OR_MORE, RoundingMode.UP);
      begin =
          new BigDecimal(end(found))
              .subtract(span)
              .max(new BigDecimal(oldest.orElse(root)))
              .toPlainString();
      found = from(Optional.of(begin));
    }
    var all = found.messages();
    return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
  }

  private boolean isEnough(Stretch found, String begin, int most) {
    return found.isWhole()
        && (found.messages().size() >= most || begin.equals(oldest.orElse(root)));
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
