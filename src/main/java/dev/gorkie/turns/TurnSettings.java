package dev.gorkie.turns;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// How long a turn waits, how often it is begun, and what a message does that comes in between.
@ConfigMapping(prefix = "gorkie.turns")
interface TurnSettings {

  /// Whether work is begun at all. What was begun before is brought to its end.
  Optional<Boolean> enabled();

  @WithDefault("steer")
  WhileRunning whileRunning();

  /// Six hours of a quarter of an hour each.
  @WithDefault("24")
  int hopsMax();

  /// How long a turn that cannot get at its machine goes from hand to hand: twice the half hour that Daytona gives one from its archive.
  @WithDefault("1h")
  Duration reachesWithin();

  /// A crash of ours may be bad luck twice; the third time it is the message.
  @WithDefault("3")
  int attemptsMax();

  /// How long the relay may not look up from what Pi says: whether the lease holds, what came in, whether time is up.
  @WithDefault("500ms")
  Duration looksUpEvery();

  /// A running process is no activity to a sandbox's timer, which stops it after 15 min at the least.
  @WithDefault("60s")
  Duration awakeEvery();

  /// A model may think for a minute without a word; two are a broken connection.
  @WithDefault("120s")
  Duration silenceMax();

  /// A summary is one call of the model, over all that a long conversation holds.
  @WithDefault("5m")
  Duration shortensWithin();

  /// Pi answers a question within milliseconds while it waits for its model.
  @WithDefault("10s")
  Duration answersWithin();

  /// The keeper gives Pi 10 s to stop by itself, then it kills it.
  @WithDefault("15s")
  Duration stopsWithin();

  /// How long a person may take to allow something; after that it is a no.
  @WithDefault("30m")
  Duration permissionLasts();

  /// How many turns of one workspace may be at work at once; as many as come where it is not set.
  OptionalInt atOnce();

  /// How often a turn that waits in line looks whether it is its turn.
  @WithDefault("2s")
  Duration inLineEvery();

  /// Slack delivers within three seconds, and at once a second time; who writes below a message does so later.
  @WithDefault("10s")
  Duration comesLateAfter();

  /// The last of Slack's deliveries comes some five minutes after the first.
  @WithDefault("6m")
  Duration onItsWayFor();

  /// What a message does that comes while its thread's turn runs.
  enum WhileRunning {
    /// Pi hears it at its next step and takes it into account.
    STEER,
    /// It waits for its own turn.
    QUEUE,
    /// The run ends and the message's own turn begins.
    INTERRUPT
  }
}
