package dev.gorkie.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.pi.JobState;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/// The end of a job on its way from the door to the work, among what Slack delivers.
public final class JobEnd {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BEGINNING = "{\"type\":\"gorkie_job_over\",\"end\":";

  private JobEnd() {}

  /// What is carried, when this is the end of that job.
  ///
  /// @param posted in the keeper's words
  public static Optional<byte[]> delivery(String job, byte[] posted) {
    return JobState.read(posted)
        .filter(end -> end.job().equals(job) && end.standing().isOver())
        .map(end -> (BEGINNING + new String(posted, UTF_8) + "}").getBytes(UTF_8));
  }

  /// Empty for all that is Slack's.
  public static Optional<JobState> read(byte[] delivery) {
    var beginning = BEGINNING.getBytes(UTF_8);
    if (delivery.length < beginning.length
        || !Arrays.equals(delivery, 0, beginning.length, beginning, 0, beginning.length)) {
      return Optional.empty();
    }
    try {
      return JobState.read(JSON.readTree(delivery).path("end").toString().getBytes(UTF_8));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
