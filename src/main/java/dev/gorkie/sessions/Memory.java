package dev.gorkie.sessions;

import java.util.Locale;

/// What became of a conversation that Pi could not go on with by itself.
enum Memory {
  RESTORED,
  LOST;

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
