package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The ingress is killed, frozen or cut off where it receives a message or hands it over, or is refused there; Slack brings the message
/// again.
final class DoorPart implements StagedPart {

  private static final int HISTORIES = 600;
  // From less than what Slack waits, which nothing divides, to what Lambda grants a door.
  private static final Duration FROZEN_MIN = Duration.ofSeconds(1);
  private static final double FROZEN_SPREAD = 20;
  // Slack comes four times.
  private static final int STRIKES_MAX = 3;
  private static final int DOUBLED_EVERY = 3;

  /// What can go wrong at a moment.
  private record Moment(String name, List<Fault.Kind> kinds) {}

  // Nothing cuts a process off from Lambda's own runtime.
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment("door event after", List.of(Fault.Kind.KILL, Fault.Kind.FREEZE)),
          new Moment(
              "door hand-over before",
              List.of(
                  Fault.Kind.KILL,
                  Fault.Kind.THROTTLE,
                  Fault.Kind.CUT,
                  Fault.Kind.BREAK,
                  Fault.Kind.FREEZE)),
          new Moment(
              "door hand-over after", List.of(Fault.Kind.CUT, Fault.Kind.KILL, Fault.Kind.FREEZE)),
          new Moment("door answer before", List.of(Fault.Kind.FREEZE, Fault.Kind.KILL)));

  @Override
  public String name() {
    return "door";
  }

  @Override
  public Form form(Size size) {
    return Form.usual().withDoors(3);
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var planned = size.ofEach(HISTORIES, seed -> one("d" + seed, seed));
    new Histories(scene, size, figures).run(planned);
  }

  /// The n-th message of this part.
  static Histories.Planned one(String name, long seed) {
    var random = new Random(seed);
    random.nextLong();
    var moment = MOMENTS.get((int) (seed % MOMENTS.size()));
    var frozen =
        Duration.ofMillis(
            (long) (FROZEN_MIN.toMillis() * Math.pow(FROZEN_SPREAD, random.nextDouble())));
    var plan = new Struck(moment, random.nextInt(16), 1 + random.nextInt(STRIKES_MAX), frozen);
    var wish = Wish.of(seed);
    var doubled = new Wish(wish.shape(), wish.millis(), wish.warm(), seed % DOUBLED_EVERY == 0);
    return new Histories.Planned(name, seed, doubled, plan, Tale.ofOneDelivered());
  }

  /// The first so many times that a moment comes something goes wrong, each time something else.
  private record Struck(Moment moment, int first, int times, Duration frozenFor) implements Plan {

    @Override
    public Optional<Fault> at(String boundary) {
      var parts = boundary.split("#");
      var number = Integer.parseInt(parts[1]);
      if (!parts[0].equals(moment.name()) || number > times) {
        return Optional.empty();
      }
      var kind = moment.kinds().get((first + number) % moment.kinds().size());
      return Optional.of(new Fault(boundary, kind, frozenFor));
    }

    @Override
    public boolean isAwaited() {
      return true;
    }

    @Override
    public String toString() {
      return "%d times from %s at %s"
          .formatted(times, moment.kinds().get((first + 1) % moment.kinds().size()), moment.name());
    }
  }
}
