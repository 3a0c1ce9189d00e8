package dev.gorkie.slack;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/// A file somebody sent along, as far as the event tells; `SlackFiles` opens it.
public record Attachment(
    String id,
    String name,
    String mimetype,
    OptionalLong bytes,
    Optional<URI> download,
    Access access) {

  /// What Slack lets us do with it.
  public enum Access {
    OPEN,
    /// The event held little more than the id: Slack is to be asked (Slack Connect).
    ASK_FIRST,
    /// It lies elsewhere and Slack holds only a link.
    EXTERNAL,
    /// Deleted, or hidden by the workspace's plan.
    GONE,
    DENIED
  }
}
