package dev.gorkie.bench;

import dev.gorkie.campaign.PlayedKeepers;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.LocalSlack;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.simulation.Scenario;
import dev.gorkie.simulation.Simulation;
import dev.gorkie.simulation.Work;
import dev.gorkie.way.FunctionZip;
import dev.gorkie.way.Gorkie;
import dev.gorkie.way.ManyWorkspaces;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Many turns at once: in one server with real keepers, in one with played ones over the same wire, and with a process of its own
/// for each as at Lambda.
final class ManyPart implements Part {

  private static final String MANY = "many";
  private static final String PROMPT = "Take your time.";
  private static final int WORKSPACES = 20;
  private static final int CHANNELS = 10;
  private static final int FEW_MB = 256;
  private static final int MANY_MB = 1_024;
  private static final Duration TOOL = Duration.ofSeconds(3);
  private static final Duration ANSWERING = Duration.ofSeconds(6);
  private static final int PIECE_CHARS = 24;
  private static final double OWN_MS_MOST = 1;
  // A program's first minutes go to the compiler, whatever it does in them.
  private static final String WARM = " in a server that has been at work for a while";
  private static final String LAST_STATE = ": a card's last state after it";
  private static final String ANSWER_LATE = ": an answer after Pi's last word";
  private static final Duration TURN_MOST = Duration.ofMinutes(15);
  // So many times the most turns are tried, to see where it bends: where one answer in a hundred is
  // later than somebody notices.
  private static final int BENT_MOST = 8;
  private static final double BENT_SECONDS = 1;
  private static final double BUSY = 0.9;
  // As many as one server has.
  private static final int CONNECTIONS = 10;

  /// A question that was asked.
  private record Asked(LocalSlack slack, String channel, String root) {}

  @Override
  public String name() {
    return MANY;
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var lasts = Duration.ofSeconds(size.of("seconds", 12, 30));
    real(lasts, counts(List.of(1, 10, 50), size.of("real", 2, 50)), figures);
    var most = size.of("played", 100, 1_000);
    played(lasts, counts(List.of(100, 1_000), most), figures);
    counts(List.of(100, 1_000), most).forEach(count -> simulated(lasts, count, figures));
    functions(lasts, counts(List.of(1, 10, 50), size.of("processes", 2, 50)), figures);
    figures.remark(
        "Each turn lasts %d s; they begin within two thirds of that. A turn-second is one second of one turn."
            .formatted(lasts.toSeconds()));
  }

  /// These as far as there may be so many, and that many.
  private static List<Integer> counts(List<Integer> all, int most) {
    var counts = new ArrayList<>(all.stream().filter(count -> count < most).toList());
    counts.add(most);
    return counts;
  }

  private static void real(Duration lasts, List<Integer> counts, Figures figures)
      throws IOException, InterruptedException {
    try (var installation = Installation.open()) {
      installation.world().model().script(script(lasts));
      var gorkie = installation.start(installation.environment(), FEW_MB);
      var slack = installation.world().slack();
      addChannels(slack);
      for (var count : counts) {
        var name = "%d in a server, real keepers".formatted(count);
        new Round(installation, lasts, figures, name, () -> List.of(gorkie.process().pid()))
            .run(List.of(slack), count, Optional.empty());
      }
      gorkie.close();
    }
  }

  private static void played(Duration lasts, List<Integer> counts, Figures figures)
      throws IOException, InterruptedException {
    try (var installation = Installation.open();
        var keepers = new PlayedKeepers(lasts)) {
      installation.world().daytona().playedBy(keepers);
      var environment = installation.environment();
      environment.putAll(ManyWorkspaces.SETTINGS);
      var gorkie = installation.start(environment, MANY_MB);
      var workspaces = workspaces(installation, gorkie);
      for (var count : counts) {
        played(installation, gorkie, lasts, figures, count + " in a server")
            .run(workspaces, count, Optional.of(keepers));
      }
      var most = counts.getLast();
      // Not measured: here the compiler is still at work.
      played(installation, gorkie, lasts, new Figures(MANY, figures.commit()), "on the way there")
          .run(workspaces, most, Optional.of(keepers));
      played(installation, gorkie, lasts, figures, most + WARM)
          .run(workspaces, most, Optional.of(keepers));
      for (var count = 2 * most; count <= BENT_MOST * most; count *= 2) {
        var name = count + " in a server";
        var borne =
            played(installation, gorkie, lasts, figures, name)
                .run(workspaces, count, Optional.of(keepers));
        if (figures.find(name + ANSWER_LATE).orElseThrow().spread().p99() > BENT_SECONDS) {
          figures.remark("It bends before %s: %s.".formatted(name, borne));
          break;
        }
      }
      gorkie.close();
    }
  }

  /// The same round on the simulation's clock: whether that one has it as it is.
  private static void simulated(Duration lasts, int count, Figures figures) {
    var within = lasts.multipliedBy(2).dividedBy(3);
    var cards =
        Simulation.run(Scenario.round("many", WORKSPACES, count, within, Work.of(lasts, ANSWERING)))
            .cardsLate();
    if (!cards.isEmpty()) {
      var warm = count + WARM + LAST_STATE;
      var figure = Figure.of(count + " in the simulation" + LAST_STATE, Figure.Unit.S, cards);
      figures.add(
          figure.beside(
              figures.find(warm).isPresent() ? warm : count + " in a server" + LAST_STATE));
    }
  }

  private static Round played(
      Installation installation, Gorkie gorkie, Duration lasts, Figures figures, String name) {
    return new Round(installation, lasts, figures, name, () -> List.of(gorkie.process().pid()));
  }

  private static List<LocalSlack> workspaces(Installation installation, Gorkie gorkie)
      throws IOException, InterruptedException {
    var workspaces = new ArrayList<LocalSlack>();
    for (var number = 0; number < WORKSPACES; number++) {
      var first = installation.world().slack();
      var slack =
          number == 0 ? first : first.beside("T0BENCH%03d".formatted(number), "Bench " + number);
      slack.deliverTo(gorkie.events());
      ManyWorkspaces.letIn(gorkie, slack);
      addChannels(slack);
      workspaces.add(slack);
    }
    return workspaces;
  }

  private static void functions(Duration lasts, List<Integer> counts, Figures figures)
      throws IOException, InterruptedException {
    try (var installation = Installation.open();
        var keepers = new PlayedKeepers(lasts)) {
      installation.world().daytona().playedBy(keepers);
      var slack = installation.world().slack();
      addChannels(slack);
      var each = FunctionZip.unpacked().isNative() ? "native process each" : "process each";
      for (var count : counts) {
        var worker = Functions.deploy(installation, count, TURN_MOST, Map.of());
        var name = "%d in a %s".formatted(count, each);
        new Round(installation, lasts, figures, name, worker::processes)
            .run(List.of(slack), count, Optional.of(keepers));
        worker.close();
      }
    }
  }

  private static void addChannels(LocalSlack slack) {
    IntStream.range(0, CHANNELS)
        .forEach(number -> slack.addChannel("bench-" + number, Channel.Kind.PUBLIC));
  }

  /// A model that calls tools which take their time, and then speaks slowly.
  private static Rule script(Duration lasts) {
    var replies = new ArrayList<Reply>();
    for (var at = Duration.ZERO; at.compareTo(lasts.minus(ANSWERING)) < 0; at = at.plus(TOOL)) {
      replies.add(Reply.calls(ToolCall.bash("sleep " + TOOL.toSeconds())));
    }
    var text = "some words of an answer ".repeat(40);
    var pause = ANSWERING.dividedBy(text.length() / PIECE_CHARS);
    replies.add(Reply.says(text).paced(PIECE_CHARS, pause));
    return Rule.whenContaining(PROMPT, replies.toArray(Reply[]::new));
  }

  /// So many turns, from the first question to the last answer.
  private record Round(
      Installation installation,
      Duration lasts,
      Figures figures,
      String name,
      Supplier<List<Long>> processes) {

    /// @return what there was least left of
    String run(List<LocalSlack> workspaces, int count, Optional<PlayedKeepers> keepers)
        throws IOException, InterruptedException {
      var database = URI.create(installation.world().database().url());
      var calls = new HashMap<LocalSlack, Integer>();
      workspaces.forEach(slack -> calls.put(slack, slack.calls().size()));
      try (var load = Load.on(database, processes)) {
        var asked = ask(workspaces, count);
        for (var one : asked) {
          one.slack()
              .awaitThread(
                  one.channel(), one.root(), Round::isOver, lasts.plus(Installation.PATIENCE));
        }
        tell(load, count);
        keepers.ifPresent(it -> late(workspaces, asked, calls, it));
        return scarce(load);
      }
    }

    private static String scarce(Load load) throws IOException {
      var busy = load.machineBusy();
      var what = "of what Slack allows";
      if (busy >= BUSY) {
        what = "of the processors";
      } else if (load.connections() >= CONNECTIONS) {
        what = "of the connections to the database";
      }
      return "there is least left %s (the machine's processors are busy for %.0f %% of the time, by %.0f %% with the application; %d connections, %.0f transactions a second)"
          .formatted(
              what, 100 * busy, 100 * used(load), load.connections(), load.transactionsPerSecond());
    }

    private static double used(Load load) {
      return load.cpuUsed().toNanos()
          / 1e9
          / load.seconds()
          / Runtime.getRuntime().availableProcessors();
    }

    /// Nobody is shown at work, and no card has a button to stop it.
    private static boolean isOver(ThreadView thread) {
      return !Installation.answers(thread).isEmpty()
          && thread.status().isEmpty()
          && !thread.session().equals(Optional.of("processing"))
          && thread.byApp().stream().noneMatch(card -> card.button("Stop").isPresent());
    }

    private List<Asked> ask(List<LocalSlack> workspaces, int count) throws InterruptedException {
      var asked = new ArrayList<Asked>();
      var pause = lasts.multipliedBy(2).dividedBy(3).dividedBy(count);
      for (var number = 0; number < count; number++) {
        var slack = workspaces.get(number % workspaces.size());
        var channel = "bench-" + number / workspaces.size() % CHANNELS;
        asked.add(new Asked(slack, channel, slack.say(channel, "ada", "@gorkie " + PROMPT)));
        Thread.sleep(pause);
      }
      return asked;
    }

    private void tell(Load load, int count) throws IOException {
      var own = load.cpuUsed().toNanos() / 1e6 / (count * lasts.toMillis() / 1e3);
      var figure = Figure.of(name + ": own CPU for a turn-second", Figure.Unit.CPU_MS, own);
      figures.add(name.endsWith(WARM) ? figure.goal(OWN_MS_MOST) : figure);
      figures.add(
          Figure.of(
              name + ": memory for a turn",
              Figure.Unit.MB,
              Math.max(0, (double) load.memoryMb()) / count));
      figures.add(Figure.of(name + ": memory", Figure.Unit.MB, load.wholeMemoryMb()));
      figures.add(
          Figure.of(
              name + ": the database", Figure.Unit.TRANSACTIONS, load.transactionsPerSecond()));
      figures.add(Figure.of(name + ": connections", Figure.Unit.COUNT, load.connections()));
      figures.remark(
          "%s: the application took %.0f %% of the machine's processors; the whole round took %.0f s."
              .formatted(name, 100 * used(load), load.seconds()));
    }

    /// How long after Pi's end an answer is read, and a card shows its last state.
    private void late(
        List<LocalSlack> workspaces,
        List<Asked> asked,
        Map<LocalSlack, Integer> before,
        PlayedKeepers keepers) {
      var answers = new ArrayList<Double>();
      var cards = new ArrayList<Double>();
      var unfinished = 0;
      for (var slack : workspaces) {
        var all = slack.calls();
        var calls = all.subList(before.getOrDefault(slack, 0), all.size());
        var last = new HashMap<String, Instant>();
        var edited = new HashMap<String, Instant>();
        for (var call : calls) {
          if (isAnswer(call)) {
            last.merge(thread(slack, call), call.at(), Installation::later);
          } else if (call.ok() && call.method().equals("chat.update")) {
            edited.merge(thread(slack, call), call.at(), Installation::later);
          }
        }
        for (var one : asked) {
          if (one.slack() == slack) {
            var key = slack.channel(one.channel()).id() + " " + one.root();
            var end = end(keepers, slack, one);
            seconds(end, last.get(key)).ifPresent(answers::add);
            var card = seconds(end, edited.get(key)).filter(late -> late >= 0);
            card.ifPresent(cards::add);
            unfinished += card.isEmpty() ? 1 : 0;
          }
        }
      }
      figures.add(Figure.of(name + ANSWER_LATE, Figure.Unit.S, answers));
      figures.add(
          Figure.of(name + ": cards without their last state", Figure.Unit.COUNT, unfinished)
              .goal(0));
      if (!cards.isEmpty()) {
        figures.add(Figure.of(name + LAST_STATE, Figure.Unit.S, cards));
        var interval = Math.max(2, 1.5 * asked.size() / workspaces.size());
        figures.add(
            Figure.of(
                    name + ": the latest card, in edit intervals of %.1f s".formatted(interval),
                    Figure.Unit.COUNT,
                    Collections.max(cards) / interval)
                .goal(1));
      }
    }

    private Instant end(PlayedKeepers keepers, LocalSlack slack, Asked one) {
      var name =
          "gorkie-%s-%s-%s"
              .formatted(slack.teamId(), slack.channel(one.channel()).id(), one.root());
      var sandbox = installation.world().daytona().sandbox(name).orElseThrow();
      return keepers.lastEnd(sandbox.id());
    }

    private static Optional<Double> seconds(Instant end, @Nullable Instant at) {
      return Optional.ofNullable(at).map(it -> Duration.between(end, it).toNanos() / 1e9);
    }

    private static boolean isAnswer(ApiCall call) {
      return call.ok()
          && (call.method().equals("chat.stopStream")
              || call.method().equals("chat.postMessage")
                  && call.field("metadata").contains("answer-"));
    }

    /// A message that is edited or ended is known by its own time.
    private static String thread(LocalSlack slack, ApiCall call) {
      var channel = call.field("channel");
      var root = call.field("thread_ts");
      return channel + " " + (root.isEmpty() ? slack.rootOf(channel, call.field("ts")) : root);
    }
  }
}
