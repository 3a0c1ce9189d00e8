package dev.gorkie.local.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/// The end of what a keeper wrote down of its Pi, read where it lies.
record Journal(Path home) {

  private static final int TAIL_BYTES_MAX = 96 * 1024;
  private static final int RECORDS_MAX = 40;
  // A record may be a megabyte; who looks on reads its beginning.
  private static final int RECORD_CHARACTERS_MAX = 1_500;
  private static final String SEGMENT = "[0-9]{16}";

  /// The newest records with their offsets, the newest last; empty where no keeper ever ran.
  JsonObject tail() throws IOException {
    var last = lastSegment();
    if (last.isEmpty()) {
      return new JsonObject().put("end", 0).put("records", new JsonArray());
    }
    var start = Long.parseLong(name(last.get()));
    try (var file = new RandomAccessFile(last.get().toFile(), "r")) {
      var size = file.length();
      var from = Math.max(0, size - TAIL_BYTES_MAX);
      var bytes = new byte[(int) (size - from)];
      file.seek(from);
      file.readFully(bytes);
      return new JsonObject()
          .put("end", start + size)
          .put("records", records(bytes, start + from, from > 0));
    }
  }

  private Optional<Path> lastSegment() throws IOException {
    var folder = home.resolve(".gorkie").resolve("journal");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (var all = Files.list(folder)) {
      return all.filter(path -> name(path).matches(SEGMENT))
          .max(Comparator.comparing(Journal::name));
    }
  }

  private static JsonArray records(byte[] bytes, long offset, boolean isCut) {
    var all = new ArrayList<JsonObject>();
    var begin = 0;
    for (var at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        // The first line of a piece may be the rest of one.
        if (begin > 0 || !isCut) {
          all.add(record(new String(bytes, begin, at - begin, UTF_8), offset + begin));
        }
        begin = at + 1;
      }
    }
    return new JsonArray(all.subList(Math.max(0, all.size() - RECORDS_MAX), all.size()));
  }

  private static JsonObject record(String line, long offset) {
    var text =
        line.length() > RECORD_CHARACTERS_MAX
            ? line.substring(0, RECORD_CHARACTERS_MAX) + "…"
            : line;
    return new JsonObject().put("offset", offset).put("type", type(line)).put("text", text);
  }

  // What runs in a sandbox can write here too.
  private static String type(String line) {
    try {
      return Objects.toString(new JsonObject(line).getValue("type"));
    } catch (DecodeException _) {
      return "no record";
    }
  }

  private static String name(Path path) {
    return Objects.toString(path.getFileName());
  }
}
