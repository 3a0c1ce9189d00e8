package dev.gorkie.local.slack;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A thread as a person sees it, now.
///
/// @param channel the channel's name, with its sign
/// @param messages the root and the replies, in order; those that only one person sees too
/// @param status the assistant status shown at this moment
/// @param session the agent session's state
/// @param statuses every status of either kind the app ever set here
public record ThreadView(
    String channel,
    String rootTs,
    List<MessageView> messages,
    Optional<String> status,
    Optional<String> session,
    Optional<String> title,
    List<Prompt> prompts,
    List<StatusChange> statuses) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  /// What the app said here, in order; not what it said to one person alone.
  public List<MessageView> byApp() {
    return messages.stream().filter(one -> one.byApp() && one.onlyFor().isEmpty()).toList();
  }

  /// Whether a sign says that the app is at work.
  public boolean isShownAtWork() {
    return status.isPresent() || session.equals(Optional.of("processing"));
  }

  public MessageView root() {
    return messages.getFirst();
  }

  public MessageView last() {
    return messages.getLast();
  }

  public Optional<MessageView> message(String ts) {
    return messages.stream().filter(one -> one.ts().equals(ts)).findFirst();
  }

  /// Whether any message of the app shows this.
  public boolean appSaid(String text) {
    return byApp().stream().anyMatch(one -> one.text().contains(text));
  }

  /// All files the app put here, in order.
  public List<FileView> filesByApp() {
    return byApp().stream().flatMap(one -> one.files().stream()).toList();
  }

  /// The thread in plain characters, for a terminal or a failed test.
  public String plain() {
    var page =
        new StringBuilder(channel + "  " + rootTs + title.map(it -> "  " + it).orElse("") + "\n");
    messages.forEach(message -> page.append("\n").append(plain(message)));
    status.ifPresent(it -> page.append("\n(status: ").append(it).append(")\n"));
    session.ifPresent(it -> page.append("\n(session: ").append(it).append(")\n"));
    return page.toString();
  }

  private static String plain(MessageView message) {
    var head = new StringBuilder(message.author() + "  " + TIME.format(message.at()));
    message.onlyFor().ifPresent(name -> head.append("  (only for ").append(name).append(")"));
    head.append(message.edited() ? "  (edited)\n" : "\n");
    message.text().lines().forEach(line -> head.append("    ").append(line).append("\n"));
    message
        .files()
        .forEach(
            file ->
                head.append(
                    "    [file] "
                        + file.name()
                        + ", "
                        + file.mimeType()
                        + ", "
                        + file.size()
                        + " bytes\n"));
    if (!message.reactions().isEmpty()) {
      head.append(
          message.reactions().entrySet().stream()
              .map(it -> ":" + it.getKey() + ": " + String.join(", ", it.getValue()))
              .collect(Collectors.joining("  ", "    ", "\n")));
    }
    return head.toString();
  }
}
