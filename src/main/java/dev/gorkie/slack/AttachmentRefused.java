package dev.gorkie.slack;

import java.io.IOException;

/// Why an attachment cannot be had, or turned out while it was read not to be what was announced.
public final class AttachmentRefused extends IOException {

  private static final long serialVersionUID = 1L;

  /// The phrase continues a sentence that begins with the file's name.
  public enum Reason {
    TOO_LARGE("is too large"),
    GONE("is not in Slack any more"),
    EXTERNAL("is not in Slack, only a link to it"),
    DENIED("may not be read by me"),
    NOT_WHOLE("did not arrive whole");

    private final String phrase;

    Reason(String phrase) {
      this.phrase = phrase;
    }

    public String phrase() {
      return phrase;
    }
  }

  private final Reason reason;

  AttachmentRefused(Reason reason, String detail) {
    super(reason + ": " + detail);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
