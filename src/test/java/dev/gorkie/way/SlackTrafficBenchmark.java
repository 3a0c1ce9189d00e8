package dev.gorkie.way;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.ThreadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a run asks of Slack in a minute, and what becomes of many runs where Slack takes a tenth of what they would ask.
final class SlackTrafficBenchmark {

  private static final int STEPS = Integer.getInteger("steps", 40);
  private static final int THREADS = Integer.getInteger("threads", 20);
  private static final int MANY_STEPS = 300;
  private static final int LONG_CHARACTERS = 300_000;
  private static final int TENTH = 10;
  private static final Duration STORM_MOST = Duration.ofMinutes(15);

  private SlackTrafficBenchmark() {}

  public static void main(String[] args) throws Exception {
    var stage = Stage.open();
    alone(stage);
    large(stage);
    storm(stage);
    System.exit(0);
  }

  /// One run of many steps, each of some seconds, whose answer is long and comes slowly.
  private static void alone(Stage stage) throws InterruptedException {
    var replies = new ArrayList<Reply>();
    for (var step = 1; step <= STEPS; step++) {
      replies.add(Reply.calls(ToolCall.bash("sleep 2; echo step " + step)));
    }
    var answer =
        IntStream.range(0, 120)
            .mapToObj(
                line -> "Line %d of an answer that is read while it is written.".formatted(line))
            .collect(Collectors.joining("\n\n"));
    replies.add(Reply.says(answer).paced(60, Duration.ofMillis(200)));
    stage.model().script(Rule.whenContaining("a-long-run", replies.toArray(Reply[]::new)));
    stage.ask("general", "$ echo warm");

    var before = stage.slack().calls().size();
    var began = Instant.now();
    var root = stage.slack().say("general", "ada", "@gorkie a-long-run");
    var thread = await(stage, root, it -> it.appSaid("Line 119") && isAtRest(it));
    var took = Duration.between(began, Instant.now());

    System.out.printf(
        "A run of %d steps, %d s, an answer of %,d characters in %d messages%n",
        STEPS, took.toSeconds(), answer.length(), Stage.answers(thread).size());
    perMinute(stage.slack().calls().subList(before, stage.slack().calls().size()), took);
  }

  private static void perMinute(List<ApiCall> calls, Duration took) {
    var minutes = took.toMillis() / 60_000.0;
    System.out.printf("  %-36s %6s %10s%n", "calls", "all", "per minute");
    counted(calls)
        .forEach(
            (method, count) ->
                System.out.printf("  %-36s %6d %10.1f%n", method, count, count / minutes));
  }

  private static Map<String, Long> counted(List<ApiCall> calls) {
    return calls.stream()
        .collect(Collectors.groupingBy(ApiCall::method, TreeMap::new, Collectors.counting()));
  }

  /// More steps than a card shows, and a longer answer than messages hold.
  private static void large(Stage stage) throws InterruptedException {
    var replies = new ArrayList<Reply>();
    for (var step = 1; step <= MANY_STEPS; step++) {
      replies.add(Reply.calls(ToolCall.bash("echo step " + step)));
    }
    var answer = "Nearly without end. ".repeat(LONG_CHARACTERS / 20);
    replies.add(Reply.says(answer).paced(4_000, Duration.ofMillis(1)));
    stage.model().script(Rule.whenContaining("a-large-run", replies.toArray(Reply[]::new)));

    var began = Instant.now();
    var root = stage.slack().say("general", "ada", "@gorkie a-large-run");
    var thread = await(stage, root, it -> !it.filesByApp().isEmpty() && isAtRest(it));
    var took = Duration.between(began, Instant.now());

    var file = thread.filesByApp().getFirst();
    var card = Stage.cards(thread).getFirst();
    System.out.printf(
        "A run of %d steps, %d s: a card of %d rows, edited %d times; an answer of %,d characters: %d messages and a file of %,d bytes%n",
        MANY_STEPS,
        took.toSeconds(),
        card.tasks().size(),
        card.edits(),
        answer.length(),
        Stage.answers(thread).size(),
        file.size());
  }

  /// Many short runs in one channel, first as they come and then where each method takes a tenth of its tier.
  private static void storm(Stage stage) throws InterruptedException {
    var free = run(stage, "as they come");
    stage.slack().keepTiers(TENTH);
    var tight = run(stage, "at a tenth of each tier");
    stage.slack().heal();
    System.out.printf(
        "The last answer came %.1f times as late%n",
        (double) tight.toMillis() / Math.max(free.toMillis(), 1));
  }

  private static Duration run(Stage stage, String how) throws InterruptedException {
    var before = stage.slack().calls().size();
    var began = Instant.now();
    var roots =
        IntStream.range(0, THREADS)
            .mapToObj(
                number -> stage.slack().say("random", "ada", "@gorkie $ echo storm-" + number))
            .toList();
    var doubled = 0;
    for (var number = 0; number < roots.size(); number++) {
      var word = "storm-" + number;
      var thread =
          stage
              .slack()
              .awaitThread("random", roots.get(number), it -> answers(it, word) > 0, STORM_MOST);
      doubled += answers(thread, word) - 1;
    }
    var took = Duration.between(began, Instant.now());
    for (var root : roots) {
      stage.slack().awaitThread("random", root, SlackTrafficBenchmark::isAtRest, STORM_MOST);
    }
    var calls = stage.slack().calls().subList(before, stage.slack().calls().size());
    var refused = calls.stream().filter(call -> call.status() == 429).toList();
    System.out.printf(
        "%d runs at once, %s: all answered after %d s, %d twice; %d calls, %d of them refused with 429%n",
        THREADS, how, took.toSeconds(), doubled, calls.size(), refused.size());
    perMinute(calls, Duration.between(began, Instant.now()));
    System.out.println("  refused: " + counted(refused));
    return took;
  }

  private static long answers(ThreadView thread, String word) {
    return Stage.answers(thread).stream().filter(one -> one.text().contains(word)).count();
  }

  private static boolean isAtRest(ThreadView thread) {
    return thread.session().filter("processing"::equals).isEmpty()
        && thread.byApp().stream().noneMatch(one -> one.text().startsWith("Working"));
  }

  private static ThreadView await(Stage stage, String root, Predicate<ThreadView> expected)
      throws InterruptedException {
    return stage.slack().awaitThread("general", root, expected, STORM_MOST);
  }
}
