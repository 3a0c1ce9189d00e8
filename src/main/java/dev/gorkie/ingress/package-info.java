/// The doors: Slack's requests at the first function; deliveries, wakes and the timed sweep at the second; at a server's those for
/// whoever looks after it.
@Room(
    uses = {
      "slack",
      "inbox",
      "commands",
      "policy",
      "handoff",
      "turns",
      "sessions",
      "erasure",
      "logbook",
      "settings"
    })
@NullMarked
package dev.gorkie.ingress;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
