/// What people tell Gorkie itself is obeyed when it is accepted, and answered with a sentence.
@Room(uses = {"slack", "inbox", "turns", "jobs", "tasks", "policy", "preferences", "database"})
@NullMarked
package dev.gorkie.commands;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
