/// A machine as we want one: found, created, started, awake, with files, commands and a terminal.
///
/// It speaks of machines and not of who rents them out.
@Room
@NullMarked
package dev.gorkie.sandbox;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
