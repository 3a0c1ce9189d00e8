package dev.gorkie.inbox;

/// What has come in for one turn while it runs, as far as somebody has looked.
final class Mailbox {

  private final long turn;
  private volatile Waiting seen = Waiting.NOTHING;

  record Waiting(boolean anything, boolean stop) {

    static final Waiting NOTHING = new Waiting(false, false);
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
