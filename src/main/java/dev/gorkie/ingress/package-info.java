/// The doors: Slack's requests at the first function; deliveries, wakes and the timed sweep at the second.
@Room(uses = {"slack", "inbox", "commands", "handoff", "turns", "sessions", "erasure", "settings"})
@NullMarked
package dev.gorkie.ingress;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
