/// What people want at a time, once or again and again: written down, done when it is due, late rather than not at all, and once.
@Room(uses = {"inbox", "slack", "policy", "database"})
@NullMarked
package dev.gorkie.tasks;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
