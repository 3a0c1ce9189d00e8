/// The doors: Slack's requests and a sandbox's at the first function; deliveries, wakes and the timed sweep at the second; at a
/// server's those for whoever looks after it.
@Room(
    uses = {
      "slack",
      "inbox",
      "commands",
      "policy",
      "handoff",
      "turns",
      "jobs",
      "tasks",
      "previews",
      "webhook",
      "sessions",
      "erasure",
      "workbench",
      "logbook",
      "settings"
    })
@NullMarked
package dev.gorkie.ingress;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
