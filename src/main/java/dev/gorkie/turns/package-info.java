/// One turn, from claim to done: what waits in a thread goes to Pi, and what Pi does is told in the thread.
@Room(
    uses = {
      "inbox",
      "handoff",
      "sessions",
      "jobs",
      "tasks",
      "previews",
      "files",
      "sandbox",
      "pi",
      "slack",
      "policy",
      "preferences",
      "logbook",
      "webhook",
      "database"
    })
@NullMarked
package dev.gorkie.turns;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
