/// What people have chosen, for a thread, a channel, a workspace or themselves, within what the operator allows.
@Room(uses = {"database"})
@NullMarked
package dev.gorkie.preferences;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
