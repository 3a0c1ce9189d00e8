package dev.gorkie.start;

import static dev.gorkie.sandbox.Finding.bad;
import static dev.gorkie.sandbox.Finding.good;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.pi.Agents;
import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Finding.Weight;
import dev.gorkie.sandbox.Landlord;
import dev.gorkie.sandbox.Sandboxes;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Looks before the first message whether there could be an answer, and says what it finds, a sentence each.
public final class Doctor implements QuarkusApplication {

  // Whoever waits longer for a machine's first start thinks that nothing will come of it.
  private static final Duration MACHINE_MOST = Duration.ofMinutes(1);
  // One that is left behind after all carries no thread, and ends by its time to live.
  private static final Map<String, String> LABELS = Map.of("app", "gorkie-doctor");

  private final Landlord landlord;
  private final Sandboxes sandboxes;
  private final Agents agents;

  @Inject
  Doctor(Landlord landlord, Sandboxes sandboxes, Agents agents) {
    this.landlord = landlord;
    this.sandboxes = sandboxes;
    this.agents = agents;
  }

  @Override
  public int run(String... arguments) throws InterruptedException {
    var findings = findings();
    for (var finding : findings) {
      var mark =
          switch (finding.weight()) {
            case GOOD -> "ok  ";
            case NOTE -> "note";
            case BAD -> "BAD ";
          };
      System.out.println(mark + "  " + finding.sentence());
    }
    var isWell = findings.stream().noneMatch(finding -> finding.weight() == Weight.BAD);
    System.out.println(
        isWell ? "A message would be answered." : "A message would not be answered.");
    return isWell ? 0 : 1;
  }

  private List<Finding> findings() throws InterruptedException {
    var image = Optional.ofNullable(System.getenv("GORKIE_SNAPSHOT_OF_THIS_VERSION"));
    var findings =
        new ArrayList<>(
            landlord.examine(image.filter(name -> !name.isEmpty()), agents.modelHost()));
    if (findings.stream().noneMatch(finding -> finding.weight() == Weight.BAD)) {
      findings.addAll(machine());
    }
    return findings;
  }

  private List<Finding> machine() throws InterruptedException {
    var findings = new ArrayList<Finding>();
    var began = System.nanoTime();
    try {
      var name = "gorkie-doctor-" + UUID.randomUUID();
      var sandbox = sandboxes.create(name, LABELS, Deadline.in(MACHINE_MOST));
      try {
        findings.addAll(agents.tryOut(sandbox));
      } finally {
        landlord.giveBack(sandbox.id());
      }
      var took = Duration.ofNanos(System.nanoTime() - began);
      findings.add(
          took.compareTo(MACHINE_MOST) < 0
              ? good("A sandbox was created, used and deleted in %s.", seconds(took))
              : bad("To create, use and delete a sandbox took %s.", seconds(took)));
    } catch (Failure failure) {
      findings.add(bad("A sandbox could not be tried: %s.", String.valueOf(failure.getMessage())));
    }
    return findings;
  }

  private static String seconds(Duration took) {
    return "%.1f s".formatted(took.toMillis() / (double) TimeUnit.SECONDS.toMillis(1));
  }
}
