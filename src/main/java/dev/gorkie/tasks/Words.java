package dev.gorkie.tasks;

import dev.gorkie.slack.Listing;
import dev.gorkie.slack.Pressed;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How tasks are spoken of, to people and to the agent.
final class Words {

  private static final String NONE = "Nothing is planned here.";
  private static final String SOME = "What is planned here:";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEEE d MMMM yyyy, HH:mm", Locale.ENGLISH);

  private Words() {}

  static String planned(TaskRow task) {
    return "%s is planned: %s.".formatted(task.taskId, when(task));
  }

  /// For the agent.
  static String list(List<TaskRow> tasks) {
    return tasks.isEmpty()
        ? "Nothing is planned in this conversation."
        : String.join(
            "\n",
            tasks.stream()
                .map(
                    task ->
                        "%s, for %s, %s: %s"
                            .formatted(task.taskId, task.owner, when(task), task.what))
                .toList());
  }

  static Listing listing(List<TaskRow> tasks) {
    return new Listing(tasks.isEmpty() ? NONE : SOME, lines(tasks));
  }

  static List<Listing.Line> lines(List<TaskRow> tasks) {
    return tasks.stream()
        .map(
            task ->
                new Listing.Line(
                    "%s · %s · %s".formatted(task.taskId, when(task), task.what),
                    Optional.of(Pressed.Action.CANCEL_TASK),
                    task.taskId))
        .toList();
  }

  private static String when(TaskRow task) {
    var next = at(task.dueAt, task.zone());
    return task.cron == null ? next : "%s, next on %s".formatted(task.cron, next);
  }

  private static String at(Instant at, ZoneId zone) {
    return "%s (%s)".formatted(TIME.format(at.atZone(zone)), zone.getId());
  }

  /// For the agent, which is to do it.
  static String due(TaskRow task, Instant now) {
    return """
        The time has come for %s, which this person has planned%s:
        %s
        Do it now and say what came of it. It is %s.%s
        """
        .formatted(
            task.taskId,
            task.cron == null ? "" : " to be done again and again (" + task.cron + ")",
            task.what,
            at(now, task.zone()),
            isLate(task, now)
                ? " It was due on %s and could not be done then."
                    .formatted(at(task.dueAt, task.zone()))
                : "");
  }

  /// For the person, who wanted to be told.
  static String reminder(TaskRow task, Instant now) {
    return isLate(task, now)
        ? "%s\n\n_You wanted to hear this on %s; I am late._"
            .formatted(task.what, at(task.dueAt, task.zone()))
        : task.what;
  }

  private static boolean isLate(TaskRow task, Instant now) {
    return now.isAfter(task.dueAt.plus(Tasks.LATE));
  }

  static String withoutAccess(TaskRow task, String name) {
    return "I do this no more, since %s, for whom I did it, is not here any more or may not have me work here: %s"
        .formatted(name, task.what);
  }

  static String cancelled(TaskRow task) {
    return "`%s` is cancelled: %s".formatted(task.taskId, task.what);
  }
}
