/// Connections and transactions. Each table belongs to one room; the way to all of them is here.
@Room(uses = "settings")
@NullMarked
package dev.gorkie.database;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
