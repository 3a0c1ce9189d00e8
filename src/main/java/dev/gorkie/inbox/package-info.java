/// Messages wait here until a turn has answered them. Who may work on a thread, and since when, is kept here too.
@Room(uses = {"slack", "database"})
@NullMarked
package dev.gorkie.inbox;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
