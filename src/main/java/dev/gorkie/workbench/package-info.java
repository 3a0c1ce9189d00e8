/// What programs have done in sandboxes: their sessions, which are threads of their own kind; operations, each carried out once
/// and its outcome kept; and what came of them.
@Room(uses = {"inbox", "sessions", "sandbox", "aws", "seal", "database"})
@NullMarked
package dev.gorkie.workbench;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
