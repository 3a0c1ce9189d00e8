package dev.gorkie.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A part's figures as bars, one scale for each unit: how far the median reaches, and where the 99th percentile and the goal lie.
final class Picture {

  private static final int BARS = 450;
  private static final int NUMBERS = 110;
  // Of a letter, on an average; a name ends where its bar begins.
  private static final int LETTER = 7;
  private static final int MARGIN = 20;
  private static final int ROW = 26;
  private static final int BAR = 14;
  private static final int HEAD = 34;
  private static final String INK = "#24292f";
  private static final String PALE = "#6e7781";
  private static final String OURS = "#2f6feb";
  private static final String BASELINE = "#b0b8c1";
  private static final String GOAL = "#cf222e";

  private final Figures part;
  private final int names;
  private final int width;
  private final StringBuilder drawn = new StringBuilder();
  private int y = MARGIN;

  private Picture(Figures part) {
    this.part = part;
    names =
        2 * MARGIN
            + LETTER * part.all().stream().mapToInt(it -> it.name().length()).max().orElse(0);
    width = names + BARS + NUMBERS;
  }

  static Picture of(Figures part) {
    var picture = new Picture(part);
    var units = new LinkedHashMap<Figure.Unit, List<Figure>>();
    for (var figure : part.all()) {
      units.computeIfAbsent(figure.unit(), _ -> new java.util.ArrayList<>()).add(figure);
    }
    for (var unit : units.entrySet()) {
      picture.draw(unit);
    }
    return picture;
  }

  private void draw(Map.Entry<Figure.Unit, List<Figure>> unit) {
    var most = unit.getValue().stream().mapToDouble(Picture::reach).max().orElse(1);
    text(
        MARGIN,
        y + 16,
        PALE,
        "start",
        "%s, %s"
            .formatted(
                unit.getKey().sign(),
                unit.getKey().isMoreBetter() ? "more is better" : "less is better"));
    y += HEAD;
    for (var figure : unit.getValue()) {
      draw(figure, most == 0 ? 1 : most);
      y += ROW;
    }
    y += MARGIN / 2;
  }

  private static double reach(Figure figure) {
    var goal = figure.goal().map(Figure.Goal::value).orElse(0.0);
    return Math.max(Math.max(figure.spread().p50(), figure.spread().p99()), goal);
  }

  private void draw(Figure figure, double most) {
    var isBaseline =
        part.all().stream()
            .anyMatch(other -> other.beside().equals(java.util.Optional.of(figure.name())));
    text(names - 10, y + BAR - 2, INK, "end", figure.name());
    drawn.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n"
            .formatted(
                names,
                y,
                x(figure.spread().p50(), most) - names,
                BAR,
                isBaseline ? BASELINE : OURS));
    if (figure.spread().times() > 1) {
      line(x(figure.spread().p99(), most), y, INK);
    }
    figure.goal().ifPresent(goal -> line(x(goal.value(), most), y, GOAL));
    text(width - MARGIN, y + BAR - 2, INK, "end", Table.number(figure.spread().p50()));
  }

  private double x(double value, double most) {
    return names + Math.max(1, value / most * BARS);
  }

  private void line(double x, int top, String colour) {
    drawn.append(
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>%n"
            .formatted(x, top - 3, x, top + BAR + 3, colour));
  }

  private void text(int x, int baseline, String colour, String anchor, String text) {
    drawn.append(
        "<text x=\"%d\" y=\"%d\" fill=\"%s\" text-anchor=\"%s\">%s</text>%n"
            .formatted(
                x, baseline, colour, anchor, text.replace("&", "&amp;").replace("<", "&lt;")));
  }

  String svg() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13">
    <rect width="100%%" height="100%%" rx="8" fill="#ffffff"/>
    %s</svg>
    """
        .formatted(width, y + MARGIN / 2, drawn);
  }

  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(part.part() + ".svg"), svg());
  }
}
