/// Work that goes on in a thread's sandbox when its turn is over: begun for the agent, looked after, and its end given to the
/// conversation once, whichever way it is heard of.
@Room(uses = {"sessions", "pi", "sandbox", "inbox", "slack", "database"})
@NullMarked
package dev.gorkie.jobs;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
