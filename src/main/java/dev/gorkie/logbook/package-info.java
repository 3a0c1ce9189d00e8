/// What is written down for whoever runs this: what happened, how often and how long it took, and for which thread. Never a word
/// that a person wrote, never a secret.
@Room(uses = "settings")
@NullMarked
package dev.gorkie.logbook;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
