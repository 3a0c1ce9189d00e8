package dev.gorkie.slack;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.Secret;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Where Slack is, what proves us to it and it to us, and how often we speak.
///
/// Token and secret may be missing: a role that never needs them starts without.
@ConfigMapping(prefix = "gorkie.slack")
public interface SlackSettings {

  @WithDefault("https://slack.com/api/")
  URI apiUrl();

  /// Of the one workspace there is, where no client is set.
  Optional<Secret<String>> botToken();

  /// For a connection of our own in place of an address of our own; of the app and not of a workspace.
  Optional<Secret<String>> appToken();

  /// By which workspaces let the app in; each then has a token of its own.
  Optional<String> clientId();

  Optional<Secret<String>> clientSecret();

  /// What these tokens are sealed with, 32 bytes each as Base64; the first seals, all open.
  Optional<List<Secret<String>>> tokenKeys();

  Optional<Secret<String>> signingSecret();

  /// Beside the host of the API itself, the only hosts that ever see the token or a file. No wildcards.
  @WithDefault("files.slack.com")
  List<String> fileHosts();

  // No call begins with less of the lease left than this and a fifth, 12 s; and who follows on a
  // lapsed lease says nothing for so long, until what the one before has begun to say is there or
  // given up.
  @WithDefault("10s")
  Duration callTimeout();

  /// How long we wait for Slack to tell what somebody is; it wants its own answer in three seconds.
  @WithDefault("1s")
  Duration toldWithin();

  // A gigabyte at 4 MB/s.
  @WithDefault("5m")
  Duration transferTimeout();

  // Edits are Tier 3, about 50 a minute; every 2 s met no 429.
  @WithDefault("2s")
  Duration cardInterval();

  // So that all cards of a workspace together stay below these 50 a minute.
  @WithDefault("1500ms")
  Duration cardShare();

  // An answer that comes sooner, and without a step, needs no card.
  @WithDefault("5s")
  Duration cardDelay();

  // How old the elapsed time in the card may get while nothing else happens.
  @WithDefault("10s")
  Duration cardTick();

  // What is shorter than this, or said faster, is better posted in one piece.
  @WithDefault("600")
  int streamCharacters();

  @WithDefault("3s")
  Duration streamDelay();

  // Appending is Tier 4: with one a second, one answer alone takes six tenths of a workspace's
  // allowance.
  @WithDefault("1s")
  Duration streamInterval();

  // Slack ends a stream some five minutes after it was begun, whatever is appended.
  @WithDefault("240s")
  Duration streamLife();

  // Beginning and ending a stream are Tier 2, 20 a minute each. With six begun at once and then one
  // every four seconds no minute has more than 21, and no answer waits for its end.
  @WithDefault("4s")
  Duration streamEvery();

  // Tier 4: 100 a minute.
  @WithDefault("600ms")
  Duration appendEvery();

  // A session that is at work is so for an hour after it was said last.
  @WithDefault("45m")
  Duration sessionRenewedEvery();

  // An assistant's status is gone after two minutes.
  @WithDefault("90s")
  Duration statusRenewedEvery();

  // What was posted is not always readable at once, so a lost answer is looked for twice.
  @WithDefault("1s")
  Duration readBackPause();

  // Slack's own figure, for each channel; some at once are tolerated.
  @WithDefault("1s")
  Duration postEvery();

  // Tier 3: 50 a minute.
  @WithDefault("1200ms")
  Duration editEvery();

  // When a closed gate opens, answers have this long before signs of work may try it, and those
  // before progress.
  @WithDefault("1s")
  Duration gateStep();

  // Longer than one attempt on what was left over takes: two looks and a post, of 10 s each.
  @WithDefault("2m")
  Duration resolveAgain();
}
