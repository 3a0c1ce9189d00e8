package dev.gorkie.local.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Answers without a model behind it, and says so: runs the commands it is given, draws a chart when asked for one.
///
/// It remembers nothing. What is to be done stands in the run's prompts, what is done in the tools' results.
final class Demonstration {

  private static final String CONFESSION =
      "_I am the demonstration model: there is no real model behind me._";

  private static final String ABILITIES =
      """
      Hello! I can show you how this works:
      • a line beginning with `$ ` (or `run: …`, or a fenced block marked `sh`) is run in this thread's sandbox
      • a line beginning with `& ` is run there in the background: my turn ends, and you hear when it is over
      • ask for a *chart*, and name an attached CSV file if you like, and I draw one

      """;

  private static final Pattern UNWRITTEN =
      Pattern.compile(
          "^Nobody wrote this; it is for [^\\n]*:\\n(The job .*)",
          Pattern.DOTALL | Pattern.MULTILINE);

  private static final int PIECE_CHARS = 16;
  private static final Duration PAUSE = Duration.ofMillis(8);
  private static final int RESULT_CHARS_MAX = 3_000;

  private record Step(String status, ToolCall call, boolean isChart) {}

  Reply answer(Asked request) {
    var run = request.conversation().run();
    var unwritten = UNWRITTEN.matcher(run.userTexts().getFirst());
    if (unwritten.find()) {
      // What stands in it is material.
      return says("What was told to me:\n" + unwritten.group(1).strip() + "\n\n" + CONFESSION);
    }
    var orders = run.userTexts().stream().map(Orders::in).toList();
    var steps = orders.stream().flatMap(order -> steps(order).stream()).toList();
    var results = run.results();
    if (steps.isEmpty()) {
      return says(ABILITIES + CONFESSION);
    }
    var missing =
        steps.stream().map(step -> step.call().name()).filter(tool -> !request.offers(tool));
    var without = missing.distinct().collect(Collectors.joining(", "));
    if (!without.isEmpty()) {
      return says("I was given no tool for that (%s).\n\n%s".formatted(without, CONFESSION));
    }
    if (results.size() < steps.size() && !hasFailedChart(steps, results)) {
      return call(steps.get(results.size()), request);
    }
    return says(report(steps, results) + steering(run, orders) + CONFESSION);
  }

  private static List<Step> steps(Orders orders) {
    if (orders.chart()) {
      var calls = new Chart(orders.table()).steps();
      var statuses = List.of("is writing a small program", "is drawing", "is showing the chart");
      var steps = new ArrayList<Step>();
      for (var i = 0; i < calls.size(); i++) {
        steps.add(new Step(statuses.get(i), calls.get(i), true));
      }
      return steps;
    }
    var commands =
        orders.commands().stream()
            .map(
                command ->
                    new Step("is running " + firstLine(command), ToolCall.bash(command), false));
    var jobs =
        orders.jobs().stream()
            .map(
                command ->
                    new Step("is starting " + firstLine(command), inBackground(command), false));
    return Stream.concat(commands, jobs).toList();
  }

  private static ToolCall inBackground(String command) {
    var call = ToolCall.bash(command);
    return new ToolCall(call.name(), call.arguments().copy().put("background", true));
  }

  private static Reply call(Step step, Asked request) {
    var call = step.call();
    if (request.offers(call.name(), "status")) {
      call = new ToolCall(call.name(), call.arguments().copy().put("status", step.status()));
    }
    return Reply.calls(call);
  }

  // A drawing that failed is not worth showing; commands are run one after another in any case.
  private static boolean hasFailedChart(List<Step> steps, List<String> results) {
    return !results.isEmpty()
        && steps.get(results.size() - 1).isChart()
        && hasFailed(results.getLast());
  }

  private static String report(List<Step> steps, List<String> results) {
    var report = new StringBuilder();
    for (var i = 0; i < results.size() && i < steps.size(); i++) {
      var step = steps.get(i);
      var result = results.get(i);
      if (!step.isChart()) {
        report.append(printed(step.call().arguments().getString("command"), result));
      } else if (hasFailed(result)) {
        report
            .append("The chart did not work out:\n```\n")
            .append(shortened(result))
            .append("\n```\n");
      } else if (step.call().name().equals("showFile")) {
        report.append("Here is the chart, drawn by `chart.mjs` in this thread's sandbox.\n");
      }
    }
    return report.append('\n').toString();
  }

  private static String printed(String command, String result) {
    return "```\n$ %s\n%s\n```\n".formatted(command, shortened(result));
  }

  private static String steering(Conversation run, List<Orders> orders) {
    var noted = new StringBuilder();
    for (var i = 1; i < orders.size(); i++) {
      if (steps(orders.get(i)).isEmpty()) {
        noted
            .append("Meanwhile you said: “")
            .append(firstLine(run.userTexts().get(i)))
            .append("”\n\n");
      }
    }
    return noted.toString();
  }

  private static boolean hasFailed(String result) {
    return result.contains("Command exited with code") || result.startsWith("Error");
  }

  private static String shortened(String result) {
    var text = result.strip();
    return text.length() <= RESULT_CHARS_MAX
        ? text
        : text.substring(0, RESULT_CHARS_MAX)
            + "\n["
            + (text.length() - RESULT_CHARS_MAX)
            + " more characters]";
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private static Reply says(String text) {
    return Reply.says(text).paced(PIECE_CHARS, PAUSE);
  }
}
