package dev.gorkie.turns;

import dev.gorkie.ThreadKey;
import dev.gorkie.files.Carried;
import dev.gorkie.inbox.Message;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// What Pi is told of the messages it is to answer: when and where, what was written before, who wrote, and what lies in which
/// file.
///
/// It stands in the message and not in the system prompt, which so stays the same and can be cached. It also never
/// begins with what a person wrote: Pi takes a leading slash for a command.
///
/// @param later what was written below the message before we knew of it
/// @param view what the one who asks has before them in Slack; may be empty
/// @param sees whether the model sees an image that it opens
record Prompt(
    ThreadKey thread,
    Instant now,
    List<Message> messages,
    Map<String, List<Carried>> files,
    Optional<String> earlier,
    Optional<String> later,
    String view,
    String instructions,
    boolean sees) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final Pattern BEGINNING =
      Pattern.compile("^.*\\([A-Z0-9]+\\)\\s+writes\\s*:\\s*$", Pattern.MULTILINE);

  String text(UnaryOperator<String> nameOf) {
    var text = new StringBuilder();
    text.append("It is ").append(TIME.format(now)).append(". ").append(place()).append('\n');
    earlier.ifPresent(
        lines ->
            text.append("\nBefore you were asked, this was written here:\n")
                .append(lines)
                .append('\n'));
    if (!view.isEmpty()) {
      text.append('\n').append(view).append('\n');
    }
    if (!instructions.isBlank()) {
      text.append('\n')
          .append(nameOf.apply(messages.getFirst().event().user()))
          .append(" always wants this to be kept in mind:\n")
          .append(instructions)
          .append('\n');
    }
    for (var message : messages) {
      var event = message.event();
      if (event.isFollowUp()) {
        text.append("\nNobody wrote this; it is for ")
            .append(nameOf.apply(event.user()))
            .append(" (")
            .append(event.user())
            .append("):\n")
            .append(asOne(event.written(nameOf)))
            .append('\n');
        continue;
      }
      text.append('\n')
          .append(nameOf.apply(event.user()))
          .append(" (")
          .append(event.user())
          .append(") writes:\n")
          .append(asOne(event.written(nameOf)))
          .append('\n');
      for (var file : files.getOrDefault(event.eventId(), List.of())) {
        text.append(line(file)).append('\n');
      }
    }
    later.ifPresent(
        lines ->
            text.append("\nUntil I heard of it, this was written below it:\n")
                .append(lines)
                .append('\n'));
    return text.toString();
  }

  /// Nobody begins to write in another one's name within what one writes.
  private static String asOne(String written) {
    return BEGINNING.matcher(written).replaceAll("> $0");
  }

  private String place() {
    return thread.isDirect()
        ? "This is a direct message in Slack (workspace " + thread.team() + ")."
        : "This is a thread in Slack (workspace %s, channel %s, thread %s)."
            .formatted(thread.team(), thread.channel(), thread.root());
  }

  private String line(Carried file) {
    return switch (file) {
      case Carried.In(_, var path, var mimetype) when sees && mimetype.startsWith("image/") ->
          "Attached: %s (%s). You see it when you open it with read.".formatted(path, mimetype);
      case Carried.In(_, var path, var mimetype) -> "Attached: %s (%s)".formatted(path, mimetype);
      case Carried.Refused(var name, var reason) ->
          "Attached, but not here: %s. %s".formatted(name, reason);
      case Carried.Out(var name, _) -> "Shown: " + name;
    };
  }
}
