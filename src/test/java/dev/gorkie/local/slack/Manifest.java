package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the app offers to people, as its manifest tells Slack: commands, shortcuts, and what one may begin with.
record Manifest(List<String> lines) {

  private static final Path FILE = Path.of("deploy", "slack-manifest.yaml");
  private static final String ENTRY = "- ";

  /// The one of this checkout; it offers nothing where there is none.
  static Manifest here() {
    try {
      return new Manifest(Files.exists(FILE) ? Files.readAllLines(FILE) : List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonObject offers() {
    return new JsonObject()
        .put("commands", entries("slash_commands"))
        .put("shortcuts", entries("shortcuts"))
        .put("prompts", entries("suggested_prompts"));
  }

  /// A list of entries that are one word and its value on each line, which is all of YAML that is needed here.
  private JsonArray entries(String name) {
    var all = new JsonArray();
    var own = lines.stream().dropWhile(line -> !line.strip().equals(name + ":")).toList();
    for (var line : own.subList(Math.min(1, own.size()), own.size())) {
      if (indent(line) <= indent(own.getFirst())) {
        break;
      }
      var isNew = line.strip().startsWith(ENTRY);
      if (isNew) {
        all.add(new JsonObject());
      }
      var words = (isNew ? line.strip().substring(ENTRY.length()) : line.strip()).split(": ", 2);
      var value = words.length > 1 ? words[1].replaceAll("^\"|\"$", "") : "";
      all.getJsonObject(all.size() - 1).put(words[0], value);
    }
    return all;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
