package dev.gorkie.local.daytona;

import java.util.function.Consumer;

/// Plays what would run in sandboxes, so that there can be more of them than a machine has room for processes. Its sandboxes have
/// files and states like all others.
public interface Player {

  /// Gives a shell's standard output for a command, whose exit code is 0.
  String execute(String sandbox, String command);

  /// Somebody has opened a terminal.
  ///
  /// @param screen takes what is written to it
  Keyboard open(String sandbox, Consumer<byte[]> screen);

  /// A terminal from the other side.
  interface Keyboard {

    void typed(byte[] bytes);

    void closed();
  }
}
