/// Where the program begins when it is started as one.
@Room(
    uses = {
      "settings",
      "database",
      "sandbox",
      "pi",
      "inbox",
      "turns",
      "sessions",
      "slack",
      "erasure",
      "tokens"
    })
@NullMarked
package dev.gorkie.start;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
