/// Tells a program of the operator's that a turn has ended: written down with the end itself, posted after it, again until it is
/// taken or a day is over.
@Room(uses = {"database"})
@NullMarked
package dev.gorkie.webhook;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
