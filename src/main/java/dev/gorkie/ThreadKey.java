package dev.gorkie;

import java.util.regex.Pattern;

/// A Slack conversation, the same in every room: the team, the channel, and the root it hangs on.
///
/// The root is the `ts` of the thread's first message, or the user's id in a direct message.
public record ThreadKey(String team, String channel, String root) {

  // Team and channel ids are upper-case letters and digits, a root is a Slack ts or a user id. A
  // key becomes part of names elsewhere (a sandbox, a Pi session), so nothing else may get in.
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9.]{1,64}");
  private static final String DIRECT = "dm";
  private static final String PROGRAM = "api";

  public ThreadKey {
    for (var part : new String[] {team, channel, root}) {
      if (!PART.matcher(part).matches()) {
        throw new IllegalArgumentException("Not a part of a thread's key: " + part);
      }
    }
  }

  /// All direct messages of one person with us: one key, whatever the message's own thread.
  public static ThreadKey direct(String team, String user) {
    return new ThreadKey(team, DIRECT, user);
  }

  /// What a program has of its own: the tenant stands for the team, and is never one of Slack's, whose ids are upper case.
  public static ThreadKey program(String tenant, String root) {
    return new ThreadKey(tenant, PROGRAM, root);
  }

  public static ThreadKey parse(String key) {
    var parts = key.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("Not a thread's key: " + key);
    }
    return new ThreadKey(parts[0], parts[1], parts[2]);
  }

  public boolean isDirect() {
    return channel.equals(DIRECT);
  }

  @Override
  public String toString() {
    return team + ":" + channel + ":" + root;
  }
}
