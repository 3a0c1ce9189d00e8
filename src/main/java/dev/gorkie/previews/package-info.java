/// What runs in a thread's sandbox and listens there, shown to whoever may see the thread: by an address that is made for each
/// look and ends soon.
@Room(uses = {"sessions", "sandbox", "slack", "database"})
@NullMarked
package dev.gorkie.previews;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
