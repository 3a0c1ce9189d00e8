package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.sandbox.Sandbox;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks a machine's keeper about the jobs on it, whether or not anybody works in the thread.
@ApplicationScoped
public class KeeperJobs {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(20);
  // The keeper waits for 10 s until a job has ended.
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(25);

  /// How these stand; empty where the keeper does not answer, which says nothing.
  public List<JobState> states(Sandbox sandbox, List<String> jobs) {
    var states = new ArrayList<JobState>();
    var words =
        Keeper.PROGRAM + " jobs " + String.join(" ", jobs.stream().map(Sandbox::quoted).toList());
    try {
      for (var state : JSON.readTree(sandbox.execute(words, ASKED_WITHIN).output()).path("jobs")) {
        JobState.read(state).filter(it -> jobs.contains(it.job())).ifPresent(states::add);
      }
    } catch (JsonProcessingException _) {
      return List.of();
    }
    return List.copyOf(states);
  }

  /// Ends all of a job; how it stands then.
  public Optional<JobState> stop(Sandbox sandbox, String job) {
    var words = Keeper.PROGRAM + " job-stop " + Sandbox.quoted(job);
    var answer = sandbox.execute(words, STOPPED_WITHIN).output();
    try {
      return JobState.read(JSON.readTree(answer)).filter(it -> it.job().equals(job));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
