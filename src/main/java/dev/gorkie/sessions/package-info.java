/// Which sandbox, and which Pi session in it, a thread owns.
@Room(uses = {"sandbox", "pi", "logbook", "database"})
@NullMarked
package dev.gorkie.sessions;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
