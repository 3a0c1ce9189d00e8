package dev.gorkie.local.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a person asked the demonstration to do, in a form it can understand without understanding language.
record Orders(List<String> commands, List<String> jobs, boolean chart, Optional<String> table) {

  // In this order: a fenced block of shell, a line "$ command" (a name or mention may come first),
  // "run: command".
  private static final Pattern COMMAND =
      Pattern.compile(
          "```(?:sh|bash|shell)[ \\t]*\\n(?<block>.*?)\\n?```"
              + "|^(?:[^\\n$]{0,80}[:>\\]][ \\t]+)?(?:@\\S+[ \\t]+)?\\$ (?<line>\\S[^\\n]*)$"
              + "|\\brun:[ \\t]*(?<run>\\S[^\\n]*)$",
          Pattern.DOTALL | Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

  // The same with "& command".
  private static final Pattern JOB =
      Pattern.compile(
          "^(?:[^\\n&]{0,80}[:>\\]][ \\t]+)?(?:@\\S+[ \\t]+)?& (?<line>\\S[^\\n]*)$",
          Pattern.MULTILINE);

  private static final Pattern CHART =
      Pattern.compile("\\b(plot|chart|diagram|graph)", Pattern.CASE_INSENSITIVE);

  private static final Pattern TABLE =
      Pattern.compile("[^\\s`'\"<>()\\[\\],:;]+\\.csv\\b", Pattern.CASE_INSENSITIVE);

  // Where the file lies that came with the words; they may name it otherwise, or not at all.
  private static final Pattern ATTACHED =
      Pattern.compile(
          "^Attached: (?<path>\\S[^\\n]*\\.csv) \\(", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

  static Orders in(String text) {
    var commands = new ArrayList<String>();
    var found = COMMAND.matcher(text);
    while (found.find()) {
      for (var kind : List.of("block", "line", "run")) {
        Optional.ofNullable(found.group(kind))
            .map(String::strip)
            .filter(command -> !command.isEmpty())
            .ifPresent(commands::add);
      }
    }
    var jobs = JOB.matcher(text).results().map(match -> match.group("line").strip()).toList();
    // A shell line that mentions a chart is still a shell line.
    var chart = commands.isEmpty() && jobs.isEmpty() && CHART.matcher(text).find();
    var attached = ATTACHED.matcher(text).results().map(match -> match.group("path"));
    var named = TABLE.matcher(text).results().map(match -> match.group());
    return new Orders(commands, jobs, chart, Stream.concat(attached, named).findFirst());
  }
}
