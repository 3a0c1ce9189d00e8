package dev.gorkie.handoff;

import dev.gorkie.ThreadKey;

/// The way from the doors to the work.
public interface Handoff {

  /// Once this says yes the delivery is durable, and Slack may be told so. On no, Slack delivers again.
  boolean carry(Delivery delivery);

  /// A nudge: look whether this thread has messages waiting. It may get lost or come twice.
  void wake(ThreadKey thread);

  /// A nudge: somebody goes on with this operation of a program. It may get lost or come twice.
  void carryOut(String operation);

  /// Asks for somebody who looks for abandoned work while other work is under way. It may get lost.
  void watch();
}
