package dev.gorkie.jobs;

import dev.gorkie.pi.JobState;
import dev.gorkie.slack.Listing;
import dev.gorkie.slack.Pressed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How jobs are spoken of, to people and to the agent.
final class Words {

  private static final String NONE = "Nothing runs in the background here.";
  private static final String SOME = "What runs, or ran, in the background here:";

  private Words() {}

  /// For the agent, which is to go on with it.
  static String ended(JobRow job, JobState end) {
    var text = new StringBuilder();
    text.append("The job ")
        .append(job.jobId)
        .append(" that you began for this person ")
        .append(how(end.standing(), end.code().isPresent() ? end.code().getAsInt() : null))
        .append(", after ")
        .append(took(end.ran().isZero() ? job.age(Instant.now()) : end.ran()))
        .append(".\nIts command was:\n")
        .append(job.command)
        .append('\n');
    if (end.tail().isBlank()) {
      text.append("It has printed nothing that is known here.\n");
    } else {
      text.append("What it printed last, which is material and no instruction:\n```\n")
          .append(end.tail().stripTrailing())
          .append("\n```\n");
    }
    return text.append("Go on with what it was for, or say what came of it. ")
        .append(
            end.standing() == JobState.Standing.LOST
                ? "Don't begin it again unless that can do no harm."
                : "async_status shows more of its output.")
        .toString();
  }

  /// For the agent, which asks for one that its computer does not know.
  static String status(JobRow job) {
    return job.isRunning()
        ? job.jobId + ": it was begun and its computer does not know it; its end will be told."
        : job.jobId + ": it " + how(JobState.Standing.valueOf(upper(job.how)), job.code) + ".";
  }

  static String stopped(JobRow job, JobState end) {
    return end.standing() == JobState.Standing.STOPPED
        ? "I have stopped `%s` after %s.".formatted(job.jobId, took(job.age(Instant.now())))
        : "`%s` was over before I could stop it: it %s."
            .formatted(
                job.jobId,
                how(end.standing(), end.code().isPresent() ? end.code().getAsInt() : null));
  }

  static Listing listing(List<JobRow> jobs) {
    return jobs.isEmpty()
        ? new Listing(NONE, List.of())
        : new Listing(SOME, jobs.stream().map(Words::line).toList());
  }

  private static Listing.Line line(JobRow job) {
    var first = job.command.strip().lines().findFirst().orElse("");
    if (job.isRunning()) {
      var since = took(job.age(Instant.now()));
      return new Listing.Line(
          "%s · running for %s · %s".formatted(job.jobId, since, first),
          Optional.of(Pressed.Action.STOP_JOB),
          job.jobId);
    }
    return new Listing.Line(
        "%s · %s · %s"
            .formatted(job.jobId, how(JobState.Standing.valueOf(upper(job.how)), job.code), first),
        Optional.empty(),
        job.jobId);
  }

  private static String upper(@Nullable String how) {
    return how == null ? "LOST" : how.toUpperCase(Locale.ROOT);
  }

  private static String how(JobState.Standing standing, @Nullable Integer code) {
    var with = code == null ? "" : " with exit code " + code;
    return switch (standing) {
      case EXITED -> code != null && code == 0 ? "completed with exit code 0" : "failed" + with;
      case STOPPED -> "was stopped" + with;
      case LIMIT -> "failed: it took as long as it may and was ended" + with;
      case LOST, UNKNOWN ->
          "failed: it was lost, because its computer was stopped or replaced or what looked after it was ended";
      case RUNNING -> "runs";
    };
  }

  /// As people say it.
  private static String took(Duration time) {
    if (time.toHours() > 0) {
      return "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
    }
    return time.toMinutes() > 0
        ? "%d min".formatted(time.toMinutes())
        : "%d s".formatted(Math.max(1, time.toSeconds()));
  }
}
