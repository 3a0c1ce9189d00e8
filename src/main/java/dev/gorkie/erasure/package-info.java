/// Forgets what is kept of a thread, a person or a workspace, everywhere, and looks whether anything was left.
@Room(uses = {"inbox", "turns", "sessions", "slack", "preferences", "database"})
@NullMarked
package dev.gorkie.erasure;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
