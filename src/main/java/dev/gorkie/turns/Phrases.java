package dev.gorkie.turns;

import dev.gorkie.pi.ToolUse;
import dev.gorkie.sessions.News;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// What the people in the thread read of a step: the model's own phrase, or one of ours.
final class Phrases {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private Phrases() {}

  static String title(ToolUse use) {
    return use.status()
        .map(Phrases::asTitle)
        .orElseGet(
            () ->
                switch (use.tool()) {
                  case "bash" -> "Running a command";
                  case "read" -> "Reading a file";
                  case "write" -> "Writing a file";
                  case "edit" -> "Editing a file";
                  case "showFile" -> "Showing a file";
                  default -> "Using " + use.tool();
                });
  }

  /// The phrase is meant to come behind a name: “is reading the report”.
  private static String asTitle(String status) {
    var doing = status.startsWith("is ") ? status.substring("is ".length()).strip() : status;
    return doing.isEmpty() ? status : Character.toUpperCase(doing.charAt(0)) + doing.substring(1);
  }

  static String detail(ToolUse use) {
    return use.subject().orElse("");
  }

  /// What an answer begins with when the people must know that something of theirs is gone.
  static String preface(News news) {
    return "_" + sentence(news) + "_\n\n";
  }

  /// How long it took, and what is there again.
  static String awake(Duration took, Instant filesOf) {
    var seconds = Math.max(1, took.plusMillis(500).toSeconds());
    return "Awake after %d s, with the files of %s".formatted(seconds, DAY.format(filesOf));
  }

  private static String sentence(News news) {
    var files = news.filesOf().map(DAY::format);
    if (files.isEmpty() && news.carried()) {
      return news.remembered()
          ? "Same conversation and same files, on a newer computer."
          : "Same files on a newer computer; what was said here before is gone.";
    }
    if (files.isEmpty()) {
      return news.remembered()
          ? "I lost my own notes of this conversation and restored them from a copy."
          : "I lost my own notes of this conversation; the files are still here.";
    }
    return news.remembered()
        ? "Same conversation, new computer: the files of " + files.get() + " are gone."
        : "New computer: the files of "
            + files.get()
            + " are gone, and so is what was said here before.";
  }

  static String trouble(String reason) {
    return reason.equals("disk_full")
        ? "The disk of this thread's computer is full; ask me to remove what is not needed"
        : "Something is wrong with this thread's computer";
  }
}
