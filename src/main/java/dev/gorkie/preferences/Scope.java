package dev.gorkie.preferences;

import dev.gorkie.ThreadKey;
import java.util.Locale;

/// For what something is chosen.
public record Scope(String team, Kind kind, String place) {

  /// From the widest to the narrowest.
  enum Kind {
    WORKSPACE,
    CHANNEL,
    THREAD,
    PERSON;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Whether it counts for more than one conversation or person.
  public boolean isForOthers() {
    return kind == Kind.WORKSPACE || kind == Kind.CHANNEL;
  }

  /// Whether it counts wherever nothing narrower was chosen.
  public boolean isEverywhere() {
    return kind == Kind.WORKSPACE;
  }

  public static Scope workspace(String team) {
    return new Scope(team, Kind.WORKSPACE, "");
  }

  public static Scope channel(String team, String channel) {
    return new Scope(team, Kind.CHANNEL, channel);
  }

  public static Scope thread(ThreadKey thread) {
    return new Scope(thread.team(), Kind.THREAD, thread.toString());
  }

  public static Scope person(String team, String user) {
    return new Scope(team, Kind.PERSON, user);
  }
}
