package dev.gorkie.campaign;

/// Decides what becomes of that which passes a relay.
interface Gate {

  enum Verdict {
    /// It goes on its way.
    GO,
    /// It is lost, and the connection with it.
    CUT,
    /// A request is answered with 429, and goes no further.
    THROTTLED,
    /// A request is answered with 503, and goes no further.
    BROKEN
  }

  /// May keep it waiting.
  Verdict pass(long pid, Passage passage) throws InterruptedException;
}
