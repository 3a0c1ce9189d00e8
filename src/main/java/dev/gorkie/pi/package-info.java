/// Pi's language and its keeper's: commands, records, the journal and its offsets.
///
/// Nothing that comes out of a sandbox is believed here: every record is checked for size and shape.
@Room(uses = {"sandbox", "logbook"})
@NullMarked
package dev.gorkie.pi;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
