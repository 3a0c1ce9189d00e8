package dev.gorkie.bench;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How fast a long file comes into a sandbox and out of it again, all the way from Slack and back, and what memory that takes.
final class FilesPart implements Part {

  private static final String CHANNEL = "files";
  private static final int HEAP_MB = 128;
  private static final int BYTES_PER_MB = 1_000_000;
  // What a turn with it takes is what any turn takes.
  private static final int SHORT_MB = 1;
  // Beyond the heap that is there anyway: buffers on their way through.
  private static final double MORE_MB_MOST = 64;
  // One is written to a file each time, so that it is another one; no more than a GB is shown.
  private static final long WRITTEN_BYTES_MOST = 1_000;

  @Override
  public String name() {
    return "files";
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var megabytes = size.of("megabytes", 100, 1_000);
    var times = size.of("times", 1, 3);
    try (var installation = Installation.open()) {
      script(installation, megabytes);
      var gorkie = installation.start(installation.environment(), HEAP_MB);
      var slack = installation.world().slack();
      slack.addChannel(CHANNEL, Channel.Kind.PUBLIC);
      var database = URI.create(installation.world().database().url());
      var thread = takeIn(installation, SHORT_MB);
      goOn(installation, thread, "Make them.");
      var little = seconds(() -> takeIn(installation, SHORT_MB));
      var shown = seconds(() -> shows(installation, thread, "Show the short one."));
      var in = new ArrayList<Double>();
      var out = new ArrayList<Double>();
      try (var load = Load.on(database, () -> List.of(gorkie.process().pid()))) {
        for (var time = 0; time < times; time++) {
          in.add(speed(megabytes, seconds(() -> takeIn(installation, megabytes)) - little));
          out.add(
              speed(
                  megabytes,
                  seconds(() -> shows(installation, thread, "Show the long one.")) - shown));
        }
        figures.add(Figure.of("from Slack into a sandbox", Figure.Unit.MB_PER_S, in));
        figures.add(Figure.of("from a sandbox to Slack", Figure.Unit.MB_PER_S, out));
        figures.add(
            Figure.of("memory beyond that for a short file", Figure.Unit.MB, load.memoryMb())
                .goal(MORE_MB_MOST));
      }
      gorkie.close();
      figures.remark(
          "Files of %d MB, through a server with a heap of %d MB, on one machine: Slack, the server and the sandbox share its processors and its disk."
              .formatted(megabytes, HEAP_MB));
    }
  }

  private static void script(Installation installation, int megabytes) {
    var make =
        "head -c %d /dev/zero >long.bin; head -c %d /dev/zero >short.bin"
            .formatted(
                (long) megabytes * BYTES_PER_MB - WRITTEN_BYTES_MOST, SHORT_MB * BYTES_PER_MB);
    installation
        .world()
        .model()
        .script(
            Rule.whenContaining("Take it in.", Reply.says("I have it.")),
            Rule.whenContaining(
                "Make them.", Reply.calls(ToolCall.bash(make)), Reply.says("Made.")),
            Rule.whenContaining(
                "Show the short one.",
                Reply.calls(ToolCall.showFile("short.bin", "Short")),
                Reply.says("There.")),
            Rule.whenContaining(
                "Show the long one.",
                Reply.calls(ToolCall.bash("printf x >>long.bin")),
                Reply.calls(ToolCall.showFile("long.bin", "Long")),
                Reply.says("There.")));
  }

  private static ThreadView takeIn(Installation installation, int megabytes)
      throws InterruptedException {
    var root =
        installation
            .world()
            .slack()
            .say(
                Utterance.in(CHANNEL, "ada", "@gorkie Take it in.")
                    .with(Upload.generated("long.bin", (long) megabytes * BYTES_PER_MB)));
    return installation.answered(CHANNEL, root, 1);
  }

  /// The same, until the file that comes of it can be seen.
  private static ThreadView shows(Installation installation, ThreadView thread, String text)
      throws InterruptedException {
    var slack = installation.world().slack();
    var before = files(slack.thread(thread.channel(), thread.rootTs()));
    goOn(installation, thread, text);
    return slack.awaitThread(
        thread.channel(), thread.rootTs(), now -> files(now) > before, Installation.PATIENCE);
  }

  private static long files(ThreadView thread) {
    return thread.byApp().stream().mapToLong(message -> message.files().size()).sum();
  }

  private static ThreadView goOn(Installation installation, ThreadView thread, String text)
      throws InterruptedException {
    var slack = installation.world().slack();
    var now = slack.thread(thread.channel(), thread.rootTs());
    slack.reply(thread.channel(), thread.rootTs(), "ada", text);
    return installation.answered(
        thread.channel(), thread.rootTs(), Installation.answers(now).size() + 1);
  }

  private static double speed(int megabytes, double seconds) {
    return megabytes / Math.max(seconds, 1e-3);
  }

  private static double seconds(Step step) throws InterruptedException {
    var began = System.nanoTime();
    step.take();
    return Duration.ofNanos(System.nanoTime() - began).toMillis() / 1e3;
  }

  @FunctionalInterface
  private interface Step {
    ThreadView take() throws InterruptedException;
  }
}
