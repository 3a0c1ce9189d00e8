package dev.gorkie.daytona;

/// Commands as Daytona's shell must be given them.
final class ShellCommand {

  /// That shell reads its script from its own input, so a program that reads input too would eat the rest of the script.
  static String withoutInput(String command) {
    if (command.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A command can't hold NUL");
    }
    return "exec sh -c " + quoted(command) + " </dev/null";
  }

  /// One word to a shell, whatever is in it.
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private ShellCommand() {}
}
