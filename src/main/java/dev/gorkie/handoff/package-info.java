/// Carries a delivery, or a wake, from a request with three seconds to an invocation with minutes.
///
/// In one process that is a method call, between two functions an asynchronous invocation.
@Room(uses = {"aws", "settings", "logbook"})
@NullMarked
package dev.gorkie.handoff;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
