package dev.gorkie.slack;

import java.io.IOException;

/// Why an attachment cannot be had, or turned out while it was read not to be what was announced.
public final class AttachmentRefused extends IOException {

  private static final long serialVersionUID = 1L;

  /// The phrase continues a sentence that begins with the file's name, and says what to do about it.
  public enum Reason {
    TOO_LARGE("is larger than 1 GB. Please send it in parts"),
    GONE("is not in Slack any more. Please attach it again"),
    EXTERNAL("is not in Slack, only a link to it. Please attach the file itself"),
    DENIED("may not be read by me. Please download it and attach it here yourself"),
    NOT_WHOLE("did not arrive whole. Please attach it again");

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
