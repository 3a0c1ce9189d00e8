/// How connections to Slack, and those of Daytona's that are streams, are opened.
@Room
@NullMarked
package dev.gorkie.sockets;

import dev.gorkie.Room;
import org.jspecify.annotations.NullMarked;
