package dev.gorkie.inbox;

/// What has come in for one turn while it runs, as far as somebody has looked.
final class Mailbox {

  private final long turn;
  private volatile Waiting seen = Waiting.NOTHING;

  /// @param nothingLeft whether all of the turn itself has its outcome
  record Waiting(boolean anything, boolean stop, boolean nothingLeft) {

    static final Waiting NOTHING = new Waiting(false, false, false);
  }

  Mailbox(long turn) {
    this.turn = turn;
  }

  long turn() {
    return turn;
  }

  Waiting seen() {
    return seen;
  }

  void sees(Waiting waiting) {
    seen = waiting;
  }

  /// What was seen is being taken out.
  void emptied() {
    seen = Waiting.NOTHING;
  }
}
