package dev.gorkie.pi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// How a job stands, in the keeper's words. Code that a model runs can have said them, so they are believed only of this job.
///
/// @param code what its command ended with, where it has ended
/// @param tail what it printed last
public record JobState(String job, Standing standing, OptionalInt code, Duration ran, String tail) {

  /// What a job may be called.
  public static final Pattern ID = Pattern.compile("job-[a-z0-9]{4,32}");

  private static final ObjectMapper JSON = new ObjectMapper();
  // The keeper tells of 4,000.
  private static final int TAIL_CHARACTERS_MAX = 8_000;
  // A process's exit code is a byte.
  private static final int CODE_MAX = 255;

  public enum Standing {
    RUNNING,
    /// By itself, well or not.
    EXITED,
    /// Somebody wanted it to end.
    STOPPED,
    /// It took as long as it may.
    LIMIT,
    /// Nobody knows how it ended: its machine, or what looked after it there, is gone.
    LOST,
    /// The keeper has never heard of it.
    UNKNOWN;

    /// Whether nothing more comes of it.
    public boolean isOver() {
      return switch (this) {
        case EXITED, STOPPED, LIMIT, LOST -> true;
        case RUNNING, UNKNOWN -> false;
      };
    }
  }

  /// One of which nothing is known any more.
  public static JobState lost(String job) {
    return new JobState(job, Standing.LOST, OptionalInt.empty(), Duration.ZERO, "");
  }

  /// What the keeper posts when a job has ended. Empty when it is not that.
  public static Optional<JobState> read(byte[] posted) {
    try {
      return read(JSON.readTree(posted));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  static Optional<JobState> read(JsonNode node) {
    var job = node.path("job").asText();
    var code = node.path("code");
    var tail = node.path("tail").asText();
    return ID.matcher(job).matches()
        ? standing(node.path("state").asText())
            .map(
                standing ->
                    new JobState(
                        job,
                        standing,
                        code.isInt()
                            ? OptionalInt.of(code.asInt() & CODE_MAX)
                            : OptionalInt.empty(),
                        Duration.ofSeconds(Math.max(0, node.path("seconds").asInt())),
                        tail.substring(Math.max(0, tail.length() - TAIL_CHARACTERS_MAX))))
        : Optional.empty();
  }

  private static Optional<Standing> standing(String wire) {
    for (var standing : Standing.values()) {
      if (standing.name().toLowerCase(Locale.ROOT).equals(wire)) {
        return Optional.of(standing);
      }
    }
    return Optional.empty();
  }
}
