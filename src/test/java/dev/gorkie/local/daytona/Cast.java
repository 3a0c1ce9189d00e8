package dev.gorkie.local.daytona;

import java.util.Optional;

/// Who plays what would run in the sandboxes, if anybody does.
final class Cast {

  private volatile Optional<Player> player = Optional.empty();

  Optional<Player> player() {
    return player;
  }

  void is(Player newPlayer) {
    player = Optional.of(newPlayer);
  }
}
