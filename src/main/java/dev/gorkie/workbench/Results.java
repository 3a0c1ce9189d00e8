package dev.gorkie.workbench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/// What sandboxes say came of operations, as far as it can be true: whoever runs code in one can say anything in its place.
final class Results {

  private static final ObjectMapper JSON = new ObjectMapper();

  // What the keeper keeps of an output, and its note on what is missing.
  private static final int TEXT_CHARACTERS_MAX = 256 * 1024 + 100;
  // 500 KiB as Base64.
  private static final int BINARY_CHARACTERS_MAX = 700 * 1024;
  private static final int WORDS_MAX = 2_000;
  private static final int LIST_MAX = 1_000;
  private static final int CODE_MAX = 255;
  private static final Pattern WORD = Pattern.compile("[a-z_]{1,32}");

  private Results() {}

  static Outcome outcome(Kind kind, ObjectNode said) {
    if (said.has("error")) {
      var word = said.path("error").asText();
      return new Outcome.Refused(
          WORD.matcher(word).matches() ? word : "failed", text(said, "message", WORDS_MAX));
    }
    var result = JSON.createObjectNode();
    switch (kind) {
      case EXECUTE -> execution(said, result);
      case READ -> {
        copy(said, result, "path", WORDS_MAX);
        copy(said, result, "content", TEXT_CHARACTERS_MAX * 2);
        count(said, result, "lines");
        flag(said, result, "truncated");
        if (said.has("next_offset")) {
          count(said, result, "next_offset");
        }
      }
      case READ_BINARY -> {
        copy(said, result, "path", WORDS_MAX);
        if (said.has("artifact")) {
          result.set("artifact", artifact(said.path("artifact")));
        } else {
          count(said, result, "size");
          copy(said, result, "base64", BINARY_CHARACTERS_MAX);
        }
      }
      case WRITE -> {
        copy(said, result, "path", WORDS_MAX);
        count(said, result, "size");
      }
      case GREP -> {
        var matches = result.putArray("matches");
        for (var match : some(said.path("matches"))) {
          var one = matches.addObject();
          copy(match, one, "path", WORDS_MAX);
          count(match, one, "line");
          copy(match, one, "text", WORDS_MAX);
        }
        flag(said, result, "truncated");
      }
      case COPY -> {
        var files = result.putArray("files");
        for (var file : some(said.path("files"))) {
          var one = files.addObject();
          copy(file, one, "path", WORDS_MAX);
          if (file.has("error")) {
            var word = file.path("error").asText();
            one.put("error", WORD.matcher(word).matches() ? word : "failed");
          } else {
            count(file, one, "size");
          }
        }
      }
      case GLOB -> {
        var paths = result.putArray("paths");
        some(said.path("paths")).forEach(path -> paths.add(cut(path.asText(), WORDS_MAX)));
        flag(said, result, "truncated");
      }
    }
    return new Outcome.Done(result);
  }

  private static void execution(ObjectNode said, ObjectNode result) {
    flag(said, result, "ok");
    result.put("exit_code", said.path("exit_code").asInt() & CODE_MAX);
    flag(said, result, "timed_out");
    count(said, result, "duration_ms");
    copy(said, result, "stdout", TEXT_CHARACTERS_MAX);
    copy(said, result, "stderr", TEXT_CHARACTERS_MAX);
    flag(said, result, "truncated");
    count(said, result, "stdout_bytes");
    count(said, result, "stderr_bytes");
    var artifacts = result.putArray("artifacts");
    some(said.path("artifacts")).forEach(it -> artifacts.add(artifact(it)));
  }

  private static ObjectNode artifact(JsonNode said) {
    var artifact = JSON.createObjectNode();
    copy(said, artifact, "path", WORDS_MAX);
    copy(said, artifact, "name", WORDS_MAX);
    copy(said, artifact, "type", WORDS_MAX);
    count(said, artifact, "size");
    copy(said, artifact, "sha256", WORDS_MAX);
    return artifact;
  }

  private static Iterable<JsonNode> some(JsonNode list) {
    return () -> list.valueStream().limit(LIST_MAX).iterator();
  }

  private static void copy(JsonNode said, ObjectNode result, String name, int charactersMax) {
    result.put(name, text(said, name, charactersMax));
  }

  private static String text(JsonNode said, String name, int charactersMax) {
    return cut(said.path(name).asText(), charactersMax);
  }

  private static String cut(String text, int charactersMax) {
    return text.substring(0, Math.min(text.length(), charactersMax));
  }

  private static void count(JsonNode said, ObjectNode result, String name) {
    result.put(name, Math.max(0, said.path(name).asLong()));
  }

  private static void flag(JsonNode said, ObjectNode result, String name) {
    result.put(name, said.path(name).asBoolean());
  }

  /// As it is kept.
  static String written(Outcome outcome) {
    var kept = JSON.createObjectNode();
    switch (outcome) {
      case Outcome.Done(var result) -> kept.set("result", result);
      case Outcome.Refused(var word, var sentence) ->
          kept.put("error", word).put("message", sentence);
    }
    return kept.toString();
  }

  static Outcome read(String kept) {
    try {
      var outcome = JSON.readTree(kept);
      return outcome.path("result") instanceof ObjectNode result
          ? new Outcome.Done(result)
          : new Outcome.Refused(outcome.path("error").asText(), outcome.path("message").asText());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What we keep is JSON", e);
    }
  }

  static ObjectNode wish(String kept) {
    try {
      return (ObjectNode) JSON.readTree(kept);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("What we keep is JSON", e);
    }
  }
}
