package dev.gorkie;

/// The thread is another worker's, or about to be: what is left to say is theirs.
public final class HoldLost extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public HoldLost(String what) {
    super(what);
  }
}
