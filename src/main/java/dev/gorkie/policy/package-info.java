/// Who may have us do what: one place that every way in asks, by the kind of event, the place and the person.
@Room(uses = {"slack", "inbox", "preferences"})
@NullMarked
package dev.gorkie.policy;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
