package dev.gorkie.daytona;

import static dev.gorkie.sandbox.Sandbox.quoted;

import dev.gorkie.sandbox.Sandbox.Executed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Commands as Daytona's shell must be given them.
final class ShellCommand {

  // Daytona joins what a program writes to its two outputs. So the errors go to a file and come
  // at the end, behind the mark. It is the command's own shell that does this; its variables are
  // called after the mark, since a command has variables of its own. Where no file can be made, on
  // a full disk, the two stay joined.
  private static final String APART =
      """
      errors_MARK=$(mktemp 2>/dev/null)
      if [ -n "$errors_MARK" ]; then
        trap 'exit_MARK=$?
          printf "\\nMARK"; base64 <"$errors_MARK" | tr -d "\\n"; printf .
          rm -f "$errors_MARK"; exit $exit_MARK' EXIT
        exec 2>"$errors_MARK"
      fi
      command_MARK=$1
      shift
      eval "$command_MARK"
      """;

  /// That shell reads its script from its own input, so a program that reads input too would eat the rest of the script.
  ///
  /// @param mark letters and digits that are nobody else's word
  static String apart(String command, String mark) {
    if (command.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A command can't hold NUL");
    }
    return "exec sh -c %s sh %s </dev/null"
        .formatted(quoted(APART.replace("MARK", mark)), quoted(command));
  }

  /// What came of such a command. Whoever it left running may have written something behind its errors.
  static Executed executed(int exitCode, String joined, String mark) {
    var at = joined.lastIndexOf("\n" + mark);
    var end = at < 0 ? -1 : joined.indexOf('.', at);
    if (end < 0) {
      return new Executed(exitCode, joined, "");
    }
    var errors = joined.substring(at + 1 + mark.length(), end);
    try {
      return new Executed(
          exitCode,
          joined.substring(0, at) + joined.substring(end + 1),
          new String(Base64.getDecoder().decode(errors), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      // Somebody has read the mark and written it too.
      return new Executed(exitCode, joined, "");
    }
  }

  private ShellCommand() {}
}
