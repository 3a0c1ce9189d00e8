package dev.gorkie.pi;

import dev.gorkie.sandbox.Sandbox;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/// Where the keeper is on a machine, and its folder for commands.
final class Keeper {

  /// For a shell: the image says where its own folder is.
  static final String PROGRAM = "\"$GORKIE/bin/keeper\"";

  private Keeper() {}

  /// A command as a file. It is seen under its name only when it is whole.
  static void drop(Sandbox sandbox, long fence, String id, String command) {
    var name = sandbox.homeDirectory() + "/.gorkie/inbox/" + fence + "-" + id + ".json";
    sandbox.upload(name, new ByteArrayInputStream(command.getBytes(StandardCharsets.UTF_8)));
  }
}
