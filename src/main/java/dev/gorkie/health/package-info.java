/// Whether this server could do its work now, and if not, why: what it needs is asked for a sign of life, not oftener than every
/// some seconds.
@Room(uses = {"database", "slack", "sandbox", "pi", "settings"})
@NullMarked
package dev.gorkie.health;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
