package dev.gorkie.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a part came to. It lies in a file of its own until all parts are put together, so that each can be measured when there
/// is time for it.
final class Figures {

  private final String part;
  private final String commit;
  private final List<Figure> figures;
  private final List<String> remarks;

  /// @param commit that is measured
  Figures(String part, String commit) {
    this(part, commit, List.of(), List.of());
  }

  private Figures(String part, String commit, List<Figure> figures, List<String> remarks) {
    this.part = part;
    this.commit = commit;
    this.figures = new ArrayList<>(figures);
    this.remarks = new ArrayList<>(remarks);
  }

  String part() {
    return part;
  }

  String commit() {
    return commit;
  }

  List<Figure> all() {
    return List.copyOf(figures);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }

  Optional<Figure> find(String name) {
    return figures.stream().filter(figure -> figure.name().equals(name)).findFirst();
  }

  void add(Figure figure) {
    figures.add(figure);
  }

  /// A sentence that belongs below the table.
  void remark(String sentence) {
    remarks.add(sentence);
  }

  JsonObject json() {
    var json = new JsonObject().put("part", part).put("commit", commit);
    var all = new JsonArray();
    figures.forEach(figure -> all.add(figure.json()));
    return json.put("figures", all).put("remarks", new JsonArray(List.copyOf(remarks)));
  }

  static Figures read(JsonObject json) {
    return new Figures(
        json.getString("part"),
        json.getString("commit", "unknown"),
        json.getJsonArray("figures").stream()
            .map(figure -> Figure.read((JsonObject) figure))
            .toList(),
        json.getJsonArray("remarks", new JsonArray()).stream().map(String.class::cast).toList());
  }

  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(part + ".json"), json().encodePrettily() + "\n");
  }
}
