package dev.gorkie.daytona;

import dev.gorkie.sandbox.Sandbox.Executed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Commands as Daytona's shell must be given them.
final class ShellCommand {

  // Daytona joins what a program writes to its two outputs. So the errors go to a file, and follow
  // what was written to
  // the other one. It is the command's own shell that does this: another one around it would be
  // ended in its place when
  // time is up. Where no file can be made, on a full disk, the two stay joined.
  private static final String APART =
      """
      e=$(mktemp 2>/dev/null)
      if [ -n "$e" ]; then
        trap 'c=$?; printf "\\n%s" "$MARK"; base64 <"$e" | tr -d "\\n"; rm -f "$e"; exit $c' EXIT
        exec 2>"$e"
      fi
      command=$1
      shift
      eval "$command"
      """;

  /// That shell reads its script from its own input, so a program that reads input too would eat the rest of the script.
  ///
  /// @param mark nobody else's word: what stands behind it is what the command wrote to its error output
  static String apart(String command, String mark) {
    if (command.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("A command can't hold NUL");
    }
    return "exec sh -c %s sh %s </dev/null"
        .formatted(quoted(APART.replace("$MARK", mark)), quoted(command));
  }

  /// What came of such a command.
  static Executed executed(int exitCode, String joined, String mark) {
    var at = joined.lastIndexOf("\n" + mark);
    if (at < 0) {
      return new Executed(exitCode, joined, "");
    }
    var errors = Base64.getDecoder().decode(joined.substring(at + 1 + mark.length()).strip());
    return new Executed(
        exitCode, joined.substring(0, at), new String(errors, StandardCharsets.UTF_8));
  }

  /// One word to a shell, whatever is in it.
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private ShellCommand() {}
}
