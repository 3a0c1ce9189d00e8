/// What must be set before the doors open: which role this process has and what that role cannot do without.
@Room(uses = "aws")
@NullMarked
package dev.gorkie.settings;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
