/// Forgets what is kept of a thread, a person, a workspace or a tenant, everywhere, and looks whether anything was left.
@Room(
    uses = {
      "inbox",
      "turns",
      "jobs",
      "tasks",
      "webhook",
      "sessions",
      "slack",
      "preferences",
      "tokens",
      "workbench",
      "database"
    })
@NullMarked
package dev.gorkie.erasure;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
