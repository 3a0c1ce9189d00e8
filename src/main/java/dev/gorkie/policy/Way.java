package dev.gorkie.policy;

import java.util.EnumSet;
import java.util.Set;

/// How it came to us, and what can be wanted so.
public enum Way {
  /// By our name, in a channel.
  MENTION(Act.START, Act.STEER, Act.STOP, Act.CONFIGURE, Act.CHOOSE, Act.READ),
  /// To us alone.
  DIRECT(Act.START, Act.STEER, Act.STOP, Act.CONFIGURE, Act.CHOOSE, Act.READ),
  /// In a conversation of some people and us.
  GROUP_DIRECT(Act.START, Act.STEER, Act.STOP, Act.CONFIGURE, Act.CHOOSE, Act.READ),
  /// In a thread that we follow, without our name.
  THREAD_REPLY(Act.START, Act.STEER, Act.STOP, Act.CONFIGURE, Act.CHOOSE, Act.READ),
  EDIT(Act.START, Act.STEER),
  DELETION(Act.WITHDRAW),
  SLASH(Act.CONFIGURE, Act.CHOOSE),
  /// One of ours under a message.
  BUTTON(Act.STOP, Act.APPROVE),
  /// Slack's own for ending what we do.
  STOP_BUTTON(Act.STOP),
  REACTION(Act.STOP),
  SHORTCUT(Act.START, Act.STEER),
  /// By itself: what the person had begun or planned has ended, or its time has come.
  LATER(Act.START),
  /// On our page, which everybody has for oneself.
  HOME(Act.STOP, Act.CHOOSE);

  private final Set<Act> acts;

  Way(Act first, Act... more) {
    acts = EnumSet.of(first, more);
  }

  boolean leadsTo(Act act) {
    return acts.contains(act);
  }
}
