package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.gorkie.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/// Where the keeper is on a machine, and its folder for commands.
final class Keeper {

  /// For a shell: the image says where its own folder is.
  static final String PROGRAM = "\"$GORKIE/bin/keeper\"";

  // What we speak, which is the number that docs/keeper.md tells of; and the one before it.
  private static final int PROTOCOL = 1;
  private static final int OLDEST_PROTOCOL = PROTOCOL - 1;

  private static final String GREETING =
      PROGRAM + " read --fence 0 --offset 0 --wait 0 --max 1 </dev/null";
  private static final Duration GREETED_WITHIN = Duration.ofSeconds(20);
  // As a shell says that there is no such program, or none that can be run.
  private static final Set<Integer> NO_PROGRAM = Set.of(126, 127);

  private Keeper() {}

  /// Whether the machine's keeper speaks as we do. One that says nothing is no other one: it is asked again with the next
  /// word.
  static boolean isOfOurTime(Sandbox sandbox) {
    var greeting = sandbox.execute(GREETING, GREETED_WITHIN);
    if (NO_PROGRAM.contains(greeting.exitCode())) {
      return false;
    }
    try {
      var protocol = Bounds.JSON.readTree(greeting.output()).path("hello").path("protocol");
      return !protocol.isInt()
          || protocol.asInt() >= OLDEST_PROTOCOL && protocol.asInt() <= PROTOCOL;
    } catch (JsonProcessingException _) {
      return true;
    }
  }

  /// A command as a file. It is seen under its name only when it is whole.
  static void drop(Sandbox sandbox, long fence, String id, String command) {
    var name = sandbox.homeDirectory() + "/.gorkie/inbox/" + fence + "-" + id + ".json";
    sandbox.upload(name, new ByteArrayInputStream(command.getBytes(StandardCharsets.UTF_8)));
  }
}
