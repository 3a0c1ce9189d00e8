package dev.gorkie.daytona;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.Secret;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// Where Daytona is, who we are there, and how long a machine is kept.
///
/// Nothing is required, since a process that only takes messages in never asks for a machine.
@ConfigMapping(prefix = "gorkie.daytona")
interface DaytonaSettings {

  @WithDefault("https://app.daytona.io/api")
  URI apiUrl();

  Optional<Secret<String>> apiKey();

  /// The region; without one the organization's own.
  Optional<String> target();

  Optional<String> snapshot();

  /// What machines may reach: `open`, `none`, or names and IPv4 blocks with commas between them.
  @WithDefault("open")
  String network();

  /// The name of a secret at Daytona that holds the model's key; without one the key is handed over to each machine.
  Optional<String> secret();

  /// Under which name programs on a machine find what stands for the secret; the keeper looks there.
  @WithDefault("GORKIE_MODEL_KEY")
  String secretVariable();

  /// More secrets at Daytona, each with the variable under which programs on a machine find what stands for it, such as
  /// `GITHUB_TOKEN=our-github`, with commas between them.
  Optional<String> secrets();

  // The backstop for when nobody of ours is left to stop a machine. Long enough to take a run over.
  @WithDefault("15M")
  Duration autoStop();

  // An archived machine counts against no quota.
  @WithDefault("60M")
  Duration autoArchive();

  // Daytona deletes stopped machines by this, and archived ones by their time to live alone.
  @WithDefault("2880M")
  Duration autoDelete();

  // Must be longer than auto-delete; it ends a machine in whatever state it is.
  @WithDefault("4320M")
  Duration timeToLive();

  // Between two looks at something that takes its time, and before something is asked again. A
  // start takes about a second, so the first looks come quickly and later ones don't crowd.
  @WithDefault("0.25S")
  Duration pollFirst();

  @WithDefault("1S")
  Duration pollLast();

  // Something in front of the proxy may end what is silent for a minute.
  @WithDefault("20S")
  Duration pingEvery();

  // How long a machine that is said to run may be mute before it is stopped by force and started.
  @WithDefault("30S")
  Duration mutePatience();
}
