package dev.gorkie.slack;

import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Our own messages in one thread: posted, edited, written bit by bit, read back, taken back. Each is one call.
final class Posts {

  private static final Logger LOG = Logger.getLogger(Posts.class);
  private static final String POST = "chat.postMessage";
  private static final int PAGES_MAX = 50;

  private final Line line;
  private final Address address;

  Posts(Line line, Address address) {
    this.line = line;
    this.address = address;
  }

  /// A message of ours as it stands in the thread.
  ///
  /// @param by the bot that said it, which may be another app's
  /// @param bare its text, where neither mark nor file tells what it is: so is what was begun and not ended
  record Said(String ts, String by, Optional<Mark> mark, Optional<String> bare) {}

  /// The answer is the message's `ts`.
  Result<String> post(Content content, Mark mark, Urgency urgency, Intent intent)
      throws InterruptedException {
    return line.call(POST, posted(content, mark), Wire.Posted.class, urgency, intent)
        .map(Posts::ts);
  }

  /// The same in other words, which Slack may take when it took nothing of the first.
  Result<String> postInstead(Content content, Mark mark, Urgency urgency)
      throws InterruptedException {
    return line.call(POST, posted(content, mark), Wire.Posted.class, urgency).map(Posts::ts);
  }

  private Map<String, String> posted(Content content, Mark mark) {
    var form = form(content, mark);
    form.put("thread_ts", address.rootTs());
    form.put("unfurl_links", "false");
    form.put("unfurl_media", "false");
    return form;
  }

  Result<String> edit(String ts, Content content, Mark mark, Urgency urgency)
      throws InterruptedException {
    var form = form(content, mark);
    form.put("ts", ts);
    return line.call("chat.update", form, Wire.Posted.class, urgency).map(_ -> ts);
  }

  /// Begins a message that grows. It cannot be marked before its end.
  Result<String> begin(String text, Urgency urgency, Intent intent) throws InterruptedException {
    var form = new LinkedHashMap<String, String>();
    form.put("channel", address.channel());
    form.put("thread_ts", address.rootTs());
    form.put("markdown_text", text);
    // In direct messages nobody has to be named, and nobody may.
    if (!address.isDirect()) {
      form.put("recipient_user_id", address.user());
      form.put("recipient_team_id", address.team());
    }
    return line.call("chat.startStream", form, Wire.Posted.class, urgency, intent).map(Posts::ts);
  }

  /// Done twice, it stands there twice.
  Result<String> append(String ts, String more, Urgency urgency) throws InterruptedException {
    var form = Map.of("channel", address.channel(), "ts", ts, "markdown_text", more);
    return line.call("chat.appendStream", form, Wire.Answer.class, urgency).map(_ -> ts);
  }

  /// Ends a message that grows, with its last words, and marks it.
  ///
  /// @param goesOn whether we are still at work
  Result<String> end(String ts, String more, Mark mark, boolean goesOn, Urgency urgency)
      throws InterruptedException {
    var form = new LinkedHashMap<String, String>();
    form.put("channel", address.channel());
    form.put("ts", ts);
    if (!more.isEmpty()) {
      form.put("markdown_text", more);
    }
    form.put("metadata", mark.metadata());
    // Unsaid, it would end the session's state of being at work.
    form.put("session_status", goesOn ? "processing" : "active");
    return line.call("chat.stopStream", form, Wire.Answer.class, urgency).map(_ -> ts);
  }

  /// Takes away what was begun and never ended, and of which nobody heard where it is.
  ///
  /// @param beginning the hash of its text, by which it is known when Slack has ended it already
  void takeBackAstray(Said said, String beginning) {
    if (said.bare().isEmpty() || !line.isUs(said.by())) {
      return;
    }
    var form = Map.of("channel", address.channel(), "ts", said.ts());
    var isOpen = line.takeAway("chat.stopStream", form) instanceof Ok<Wire.Answer>;
    if (isOpen || said.bare().map(Hash::of).equals(Optional.of(beginning))) {
      takeBack(said.ts());
    }
  }

  /// Takes a message away that is nothing any more.
  Result<String> remove(String ts) throws InterruptedException {
    var form = Map.of("channel", address.channel(), "ts", ts);
    return line.call("chat.delete", form, Wire.Answer.class, Urgency.ANSWER).map(_ -> ts);
  }

  /// Whoever has the thread: a message that should not be there is in everybody's way.
  void takeBack(String ts) {
    var form = Map.of("channel", address.channel(), "ts", ts);
    var result = line.takeAway("chat.delete", form);
    LOG.warnf("Message %s of channel %s is taken back: %s", ts, address.channel(), result);
  }

  private Map<String, String> form(Content content, Mark mark) {
    var form = new LinkedHashMap<String, String>();
    form.put("channel", address.channel());
    form.put("text", content.text());
    if (!content.blocks().isEmpty()) {
      form.put("blocks", content.blocks().toString());
    }
    form.put("metadata", mark.metadata());
    return form;
  }

  private static String ts(Wire.Posted posted) {
    return Objects.requireNonNull(posted.ts, "Slack posts nothing without a ts");
  }

  /// All we said since we were asked.
  Result<List<Said>> readBack(Urgency urgency) throws InterruptedException {
    var said = new ArrayList<Said>();
    var cursor = "";
    for (var page = 0; page < PAGES_MAX; page++) {
      switch (line.call("conversations.replies", page(cursor), Wire.Replies.class, urgency)) {
        case Ok<Wire.Replies>(var replies) -> {
          some(replies.messages)
              .filter(one -> one.botId != null && one.ts != null)
              .map(Posts::read)
              .forEach(said::add);
          cursor = nextCursor(replies);
          if (cursor.isEmpty()) {
            return new Ok<>(List.copyOf(said));
          }
        }
        case Result<Wire.Replies> failed -> {
          return failed.map(_ -> List.of());
        }
      }
    }
    return new Lost<>("conversations.replies did not come to an end");
  }

  private Map<String, String> page(String cursor) {
    var form = new LinkedHashMap<String, String>();
    form.put("channel", address.channel());
    form.put("ts", address.rootTs());
    // We answer after we were asked, so nothing older is of interest.
    form.put("oldest", address.messageTs());
    form.put("include_all_metadata", "true");
    form.put("limit", "200");
    if (!cursor.isEmpty()) {
      form.put("cursor", cursor);
    }
    return form;
  }

  private static String nextCursor(Wire.Replies replies) {
    var paging = replies.responseMetadata;
    return paging == null || paging.nextCursor == null ? "" : paging.nextCursor;
  }

  private static Said read(Wire.Message message) {
    return new Said(
        message.ts == null ? "" : message.ts,
        message.botId == null ? "" : message.botId,
        Optional.ofNullable(message.metadata).flatMap(Mark::read),
        message.metadata == null && message.files == null && message.text != null
            ? Optional.of(message.text)
            : Optional.empty());
  }

  private static <T> Stream<T> some(@Nullable List<T> list) {
    return list == null ? Stream.empty() : list.stream();
  }
}
