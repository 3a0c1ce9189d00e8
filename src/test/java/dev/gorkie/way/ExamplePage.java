package dev.gorkie.way;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A conversation that a page of the documentation shows, line by line. In what Gorkie says `…` is whatever stands there.
record ExamplePage(List<Line> lines) {

  private static final Pattern BLOCK = Pattern.compile("```\\n(.*?)\\n```", Pattern.DOTALL);
  private static final String CHANNEL = "general";

  /// Who says what.
  record Line(String who, String text) {

    private static Line of(String written) {
      var at = written.indexOf(": ");
      return new Line(written.substring(0, at), written.substring(at + 2));
    }

    private Pattern pattern() {
      return Pattern.compile(
          Stream.of(text.split("…", -1))
              .map(String::strip)
              .map(Pattern::quote)
              .collect(Collectors.joining(".*")),
          Pattern.DOTALL);
    }
  }

  /// The first one of the page.
  static ExamplePage of(String page) throws IOException {
    var block = BLOCK.matcher(Files.readString(Path.of("docs", page)));
    if (!block.find()) {
      throw new AssertionError(page + " shows nothing");
    }
    return new ExamplePage(block.group(1).lines().map(Line::of).toList());
  }

  /// Says what people say there, and waits for what Gorkie says.
  void play(Stage stage) throws InterruptedException {
    var root = stage.slack().say(CHANNEL, lines.getFirst().who(), lines.getFirst().text());
    for (var line : lines.subList(1, lines.size())) {
      if (line.who().equals("gorkie")) {
        var said = line.pattern();
        stage
            .slack()
            .awaitThread(
                CHANNEL,
                root,
                thread -> thread.byApp().stream().anyMatch(one -> said.matcher(one.text()).find()),
                Stage.PATIENCE);
      } else {
        stage.slack().reply(CHANNEL, root, line.who(), line.text());
      }
    }
  }
}
