/// Makes secrets unreadable to whoever sees the tables alone.
@Room(uses = "aws")
@NullMarked
package dev.gorkie.seal;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
