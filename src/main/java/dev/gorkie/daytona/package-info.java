/// The machine of room `sandbox`, as Daytona serves it.
///
/// The control plane and a machine's toolbox are spoken to in JSON; what is long, a file or a terminal, is streamed. Words of
/// Daytona's wire, a state or a status, stay in here.
@Room(uses = {"sandbox", "logbook", "sockets"})
@NullMarked
package dev.gorkie.daytona;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
