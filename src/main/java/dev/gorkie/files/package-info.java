/// Carries files into the sandbox and out to Slack. Streams only: none is ever held whole.
@Room(uses = {"sandbox", "slack"})
@NullMarked
package dev.gorkie.files;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
