/// The door for programs: who comes in, what may be asked for, and how it is answered. What is done happens elsewhere.
@Room(uses = {"tokens", "workbench", "handoff", "logbook", "settings"})
@NullMarked
package dev.gorkie.api;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
