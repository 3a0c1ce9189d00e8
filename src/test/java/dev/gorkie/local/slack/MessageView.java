package dev.gorkie.local.slack;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A message as a person sees it.
///
/// @param author the name of whoever wrote it
/// @param byApp whether the app wrote it
/// @param onlyFor the name of the one person who sees it, when it is ephemeral
/// @param text its text or its blocks in plain characters
/// @param tasks the rows of its plan, and task cards that stand alone
/// @param reactions who reacted, by emoji
/// @param streaming whether it is still being written
/// @param edited whether it is marked as edited
/// @param edits how often it was changed, marked or not
public record MessageView(
    String ts,
    String author,
    boolean byApp,
    Optional<String> onlyFor,
    String text,
    List<Task> tasks,
    List<Button> buttons,
    List<FileView> files,
    Map<String, List<String>> reactions,
    boolean streaming,
    boolean edited,
    int edits,
    Instant at) {

  /// A row of a plan.
  public record Task(String id, String title, String status, String details, String output) {}

  /// A button that can be clicked.
  public record Button(String actionId, String blockId, String text, String value, String url) {}

  public Optional<Button> button(String text) {
    return buttons.stream().filter(one -> one.text().equals(text)).findFirst();
  }

  public Optional<FileView> file(String name) {
    return files.stream().filter(one -> one.name().equals(name)).findFirst();
  }
}
