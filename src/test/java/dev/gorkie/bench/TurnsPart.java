package dev.gorkie.bench;

import dev.gorkie.campaign.Wiretap;
import dev.gorkie.campaign.Wiretap.Heard;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.way.Gorkie;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// How long somebody waits who asks something in a thread, beside Pi alone on pipes with the same prompt and model.
final class TurnsPart implements Part {

  private static final String PROMPT = "Count to one.";
  private static final Path TRACE = Path.of("target", "bench", "turn.txt");
  private static final int HEAP_MB = 128;
  private static final double OWN_MS_MOST = 150;
  // The first ones warm the compilers up, here and there.
  private static final int UNCOUNTED = 10;
  private static final int TAPPED = 10;
  private static final int IN_A_ROW = 20;
  private static final double NANOS_PER_MS = 1e6;
  private static final String ENDLESS = "Count for ever.";
  private static final double STOPPED_MS_MOST = 2_000;

  // Where a word of ours is heard first, whatever becomes of it later.
  private static final Predicate<ApiCall> IS_SIGN =
      call ->
          call.method().equals("agents.sessions.setStatus")
              && call.field("status").equals("processing");
  private static final Predicate<ApiCall> IS_WORD =
      call ->
          call.method().equals("chat.startStream")
              || call.method().equals("chat.postMessage")
                  && call.field("metadata").contains("answer-");

  /// What the answer is whole with.
  private static final Predicate<ApiCall> IS_LAST_WORD =
      IS_WORD.or(call -> call.method().equals("chat.stopStream"));

  private static final Predicate<ApiCall> IS_STOP =
      call ->
          call.method().equals("chat.postMessage") && call.field("metadata").contains("stopped");

  /// What one turn took: until somebody is seen at work, the first words are there, all are, and nobody is seen at work any more.
  private record Took(double sign, double word, double answer, double whole) {}

  @Override
  public String name() {
    return "turns";
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var turns = size.of("turns", 20, 200);
    var cold = size.of("cold", 5, 200);
    try (var installation = Installation.open()) {
      installation
          .world()
          .model()
          .script(
              Rule.whenContaining(PROMPT, Reply.calls(ToolCall.bash("echo 1")), Reply.says("One.")),
              Rule.whenContaining(ENDLESS, Reply.calls(ToolCall.bash("sleep 600"))));
      var alone = alone(installation, turns + UNCOUNTED);
      figures.add(
          Figure.of("warm: Pi alone", Figure.Unit.MS, alone.subList(UNCOUNTED, alone.size())));
      var booted = new ArrayList<Double>();
      for (var time = 0; time < cold; time++) {
        booted.addAll(alone(installation, 1));
      }
      figures.add(Figure.of("new: Pi alone, with its start", Figure.Unit.MS, booted));
      unhindered(installation, turns, cold, figures);
      counted(installation, figures);
      hindered(installation, figures);
    }
  }

  /// Without Slack's allowance, which two turns at once would wait for.
  private static void unhindered(Installation installation, int turns, int cold, Figures figures)
      throws IOException, InterruptedException {
    var environment = installation.environment();
    environment.putAll(Installation.WITHOUT_ALLOWANCE);
    try (var gorkie = installation.start(environment, HEAP_MB)) {
      var thread = begun(installation, "warm");
      for (var turn = 0; turn < UNCOUNTED; turn++) {
        thread = goOn(installation, thread, new ArrayList<>());
      }
      var before = cpu(gorkie);
      var warm = new ArrayList<Took>();
      for (var turn = 0; turn < turns; turn++) {
        thread = goOn(installation, thread, warm);
      }
      add("warm", warm, "warm: Pi alone", figures);
      figures.add(
          Figure.of(
              "warm: Gorkie's own",
              Figure.Unit.CPU_MS,
              cpu(gorkie).minus(before).dividedBy(turns).toNanos() / NANOS_PER_MS));

      var stopped = new ArrayList<Took>();
      for (var turn = 0; turn < cold; turn++) {
        installation.stop(installation.sandboxOf(thread));
        thread = goOn(installation, thread, stopped);
      }
      add("stopped", stopped, "new: Pi alone, with its start", figures);

      var fresh = new ArrayList<Took>();
      for (var turn = 0; turn < cold; turn++) {
        var begun = begin(installation, channel(installation, "new-" + turn), fresh);
        // Machines share nothing in life; here all that run have two cores together.
        installation.stop(installation.sandboxOf(begun));
      }
      add("new", fresh, "new: Pi alone, with its start", figures);
    }
  }

  private static void add(String name, List<Took> turns, String baseline, Figures figures) {
    Function<Function<Took, Double>, List<Double>> each = what -> turns.stream().map(what).toList();
    var alone = figures.find(baseline).orElseThrow().spread().p50();
    figures.add(Figure.of(name + ": first sign", Figure.Unit.MS, each.apply(Took::sign)));
    figures.add(Figure.of(name + ": first word", Figure.Unit.MS, each.apply(Took::word)));
    figures.add(
        Figure.of(name + ": whole answer", Figure.Unit.MS, each.apply(Took::answer))
            .beside(baseline));
    figures.add(
        Figure.of(name + ": whole turn", Figure.Unit.MS, each.apply(Took::whole)).beside(baseline));
    // Pi alone is at its end when its answer is whole.
    var own =
        Figure.of(name + ": of its own", Figure.Unit.MS, each.apply(took -> took.answer() - alone));
    figures.add(name.equals("warm") ? own.goal(OWN_MS_MOST) : own);
  }

  /// What one warm turn says on each wire; where the time goes between stands in a file.
  private static void counted(Installation installation, Figures figures)
      throws IOException, InterruptedException {
    var environment = installation.environment();
    environment.putAll(Installation.WITHOUT_ALLOWANCE);
    try (var tap = Wiretap.on(environment);
        var _ = installation.start(tap.environment(), HEAP_MB)) {
      var thread = begun(installation, "counted");
      for (var turn = 0; turn < UNCOUNTED; turn++) {
        thread = goOn(installation, thread, new ArrayList<>());
      }
      var all = new ArrayList<List<Heard>>();
      for (var turn = 0; turn < TAPPED; turn++) {
        installation.world().slack().awaitQuiet(Installation.PATIENCE);
        tap.take();
        thread = goOn(installation, thread, new ArrayList<>());
        all.add(tap.take());
      }
      for (var wire : List.of("slack", "daytona")) {
        figures.add(
            Figure.of(
                "warm: calls of "
                    + wire.substring(0, 1).toUpperCase(Locale.ROOT)
                    + wire.substring(1),
                Figure.Unit.COUNT,
                all.stream().map(turn -> count(turn, wire, _ -> true)).toList()));
      }
      figures.add(
          Figure.of(
              "warm: transactions",
              Figure.Unit.COUNT,
              all.stream()
                  .map(turn -> count(turn, "db", it -> it.what().startsWith("commit")))
                  .toList()));
      figures.add(
          Figure.of(
              "warm: statements",
              Figure.Unit.COUNT,
              all.stream().map(TurnsPart::statements).toList()));
      figures.add(
          Figure.of(
              "warm: waits for the database",
              Figure.Unit.COUNT,
              all.stream().map(turn -> count(turn, "db", _ -> true)).toList()));
      trace(all.getLast());
    }
  }

  private static long count(List<Heard> turn, String wire, Predicate<Heard> which) {
    return turn.stream()
        .filter(it -> it.wire().equals(wire) && !it.isAnswer())
        .filter(which)
        .count();
  }

  /// Without those that only begin and end what others are in.
  private static long statements(List<Heard> turn) {
    return turn.stream()
        .filter(it -> it.wire().equals("db") && !it.isAnswer())
        .flatMap(it -> Stream.of(it.what().split(" \\+ ")))
        .filter(it -> !it.matches("(begin|commit|rollback|leave)\\b.*"))
        .count();
  }

  private static void trace(List<Heard> turn) throws IOException {
    var began = turn.getFirst().nanos();
    var lines = new StringBuilder();
    for (var one : turn) {
      lines.append(
          "%8.1f ms  %-8s %s %s%n"
              .formatted(
                  (one.nanos() - began) / NANOS_PER_MS,
                  one.wire(),
                  one.isAnswer() ? "<-" : "->",
                  one.what()));
    }
    Files.createDirectories(Objects.requireNonNull(TRACE.getParent()));
    Files.writeString(TRACE, lines);
  }

  /// As it is out of the box: what Slack allows in one channel is waited for.
  private static void hindered(Installation installation, Figures figures)
      throws IOException, InterruptedException {
    try (var _ = installation.start(installation.environment(), HEAP_MB)) {
      var thread = begun(installation, "hindered");
      for (var turn = 0; turn < UNCOUNTED; turn++) {
        thread = goOn(installation, thread, new ArrayList<>());
      }
      var turns = new ArrayList<Took>();
      for (var turn = 0; turn < IN_A_ROW; turn++) {
        thread = goOn(installation, thread, turns);
      }
      figures.add(
          Figure.of(
                  "warm, one after the other in one channel, with Slack's allowance: whole turn",
                  Figure.Unit.MS,
                  turns.stream().map(Took::whole).toList())
              .beside("warm: whole turn"));
      figures.add(
          Figure.of(
                  "one that somebody stops: until the thread says so",
                  Figure.Unit.MS,
                  stops(installation))
              .goalOfMost(STOPPED_MS_MOST));
    }
  }

  private static List<Double> stops(Installation installation) throws InterruptedException {
    var slack = installation.world().slack();
    var channel = channel(installation, "stopped-by-somebody");
    var took = new ArrayList<Double>();
    for (var turn = 0; turn < IN_A_ROW; turn++) {
      var root = slack.say(channel, "ada", "@gorkie " + ENDLESS);
      slack.awaitThread(channel, root, TurnsPart::isAtWork, Installation.PATIENCE);
      var calls = slack.calls().size();
      var began = Instant.now();
      slack.reply(channel, root, "ada", "!stop");
      installation.answered(channel, root, 1);
      var all = slack.calls();
      took.add(after(began, all.subList(calls, all.size()), IS_STOP));
    }
    return took;
  }

  private static boolean isAtWork(ThreadView thread) {
    return thread.byApp().stream()
        .flatMap(message -> message.tasks().stream())
        .anyMatch(task -> task.status().equals("in_progress"));
  }

  private static String channel(Installation installation, String name) {
    return installation.world().slack().addChannel(name, Channel.Kind.PUBLIC).id();
  }

  private static ThreadView begun(Installation installation, String channel)
      throws InterruptedException {
    return begin(installation, channel(installation, channel), new ArrayList<>());
  }

  private static ThreadView begin(Installation installation, String channel, List<Took> into)
      throws InterruptedException {
    var slack = installation.world().slack();
    var calls = slack.calls().size();
    var began = Instant.now();
    var root = slack.say(channel, "ada", "@gorkie " + PROMPT);
    return took(installation, channel, root, 1, calls, began, into);
  }

  private static ThreadView goOn(Installation installation, ThreadView thread, List<Took> into)
      throws InterruptedException {
    var slack = installation.world().slack();
    var calls = slack.calls().size();
    var wanted = Installation.answers(thread).size() + 1;
    var began = Instant.now();
    slack.reply(thread.channel(), thread.rootTs(), "ada", PROMPT);
    return took(installation, thread.channel(), thread.rootTs(), wanted, calls, began, into);
  }

  private static ThreadView took(
      Installation installation,
      String channel,
      String root,
      int wanted,
      int callsBefore,
      Instant began,
      List<Took> into)
      throws InterruptedException {
    var thread = installation.answered(channel, root, wanted);
    var whole = Duration.between(began, Instant.now());
    var all = installation.world().slack().calls();
    var calls = all.subList(callsBefore, all.size());
    into.add(
        new Took(
            after(began, calls, IS_SIGN),
            after(began, calls, IS_WORD),
            millis(
                Duration.between(
                    began,
                    times(began, calls, IS_LAST_WORD).max(Instant::compareTo).orElseThrow())),
            millis(whole)));
    return thread;
  }

  private static double after(Instant began, List<ApiCall> calls, Predicate<ApiCall> which) {
    return millis(
        Duration.between(began, times(began, calls, which).min(Instant::compareTo).orElseThrow()));
  }

  /// A call is written down when it is answered: one of the turn before may come late.
  private static Stream<Instant> times(
      Instant began, List<ApiCall> calls, Predicate<ApiCall> which) {
    return calls.stream().filter(which).map(ApiCall::at).filter(at -> !at.isBefore(began));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / NANOS_PER_MS;
  }

  private static Duration cpu(Gorkie gorkie) {
    return gorkie.process().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static List<Double> alone(Installation installation, int turns)
      throws IOException, InterruptedException {
    var image = Path.of(Objects.requireNonNull(System.getenv("GORKIE")));
    var program =
        new ProcessBuilder(
            image.resolve("bin/node").toString(),
            "src/test/sandbox/alone.mjs",
            PROMPT,
            Integer.toString(turns));
    program.environment().putAll(installation.world().environment());
    program.redirectError(ProcessBuilder.Redirect.INHERIT);
    var running = program.start();
    var lines = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines();
    if (running.waitFor() != 0) {
      throw new IOException("Pi alone ended with " + running.exitValue());
    }
    return lines.map(Double::parseDouble).toList();
  }
}
