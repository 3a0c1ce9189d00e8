package dev.gorkie.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The examples of the documentation: requests, each with what is answered. What begins with a dollar sign is known from an answer
/// before; three points stand for anything, and of an object only the fields that are shown are compared.
record Examples(List<Example> all) {

  private static final Pattern BLOCK =
      Pattern.compile("```(http|json|text)\n(.*?)```", Pattern.DOTALL);
  private static final String ANYTHING = "…";

  record Example(String request, Optional<String> answer) {}

  static Examples of(Path page) throws IOException {
    var examples = new ArrayList<Example>();
    var blocks = BLOCK.matcher(Files.readString(page));
    while (blocks.find()) {
      // Nobody waits that long here, and neither does the server.
      var text = blocks.group(2).stripTrailing().replace("sleep 30", "sleep 5");
      if (blocks.group(1).equals("http")) {
        examples.add(new Example(text, Optional.empty()));
      } else {
        var asked = examples.removeLast();
        examples.add(new Example(asked.request(), Optional.of(text)));
      }
    }
    return new Examples(List.copyOf(examples));
  }

  /// One after the other, as somebody would who reads the page. The routes that were tried.
  TreeSet<String> tryAll(Program program, Map<String, String> secrets, Described described)
      throws Exception {
    var tried = new TreeSet<String>();
    var known = new HashMap<>(secrets);
    for (var example : all) {
      var request = filled(example.request(), known);
      var answer = send(program, request);
      if (answer.status() == 202 && !example.answer().orElse("").contains("running")) {
        answer = awaited(program, answer);
      }
      assertTrue(answer.status() < 500, request + "\n" + answer.response().body());
      var line = request.split("\n", 2)[0].split(" ", 2);
      described.check(line[0], line[1], answer);
      tried.add(described.route(line[0], line[1]));
      if (example.answer().isPresent()) {
        var told = example.answer().get();
        if (told.startsWith("{")) {
          var came = learnt(answer.json(), known);
          compare(request, Program.read(filled(told, known)), came);
        } else {
          var expected = filled(told, known);
          var pattern =
              Pattern.compile(
                  Pattern.quote(expected).replace(ANYTHING, "\\E.*\\Q"), Pattern.DOTALL);
          assertTrue(
              pattern.matcher(answer.response().body()).lookingAt(), answer.response().body());
        }
      }
    }
    return tried;
  }

  /// On a busy machine anything may take longer than a request may.
  private static Program.Answer awaited(Program program, Program.Answer later) throws Exception {
    var id = later.json().path("operation").asText();
    while (program
        .get("operations/" + id + "?wait=2")
        .json()
        .path("state")
        .asText()
        .equals("running")) {
      Thread.onSpinWait();
    }
    return later.as(program.get("operations/" + id).json().path("result"), id);
  }

  private static String filled(String text, Map<String, String> known) {
    var filled = text;
    for (var name : known.entrySet()) {
      filled = filled.replace("$" + name.getKey(), name.getValue());
    }
    return filled;
  }

  private static Program.Answer send(Program program, String request) throws Exception {
    var parts = request.split("\n\n", 2);
    var head = parts[0].split("\n", -1);
    var line = head[0].split(" ", 2);
    var headers = new HashMap<String, String>();
    for (var at = 1; at < head.length; at++) {
      var header = head[at].split(": ", 2);
      headers.put(header[0], header[1]);
    }
    return program.send(
        line[0], line[1].replace("/v1/sandbox/", ""), parts.length > 1 ? parts[1] : "", headers);
  }

  private static JsonNode learnt(JsonNode answer, Map<String, String> known) {
    if (answer.has("operation")) {
      known.put("operation", answer.path("operation").asText());
    }
    var made = answer.path("artifacts").path(0).path("id").asText();
    if (!made.isEmpty()) {
      known.put("artifact", made);
    }
    return answer;
  }

  private static void compare(String request, JsonNode expected, JsonNode answer) {
    if (expected.asText().equals(ANYTHING)) {
      assertTrue(!answer.isMissingNode(), request);
    } else if (expected.isObject()) {
      expected
          .properties()
          .forEach(
              entry ->
                  compare(
                      request + " → " + entry.getKey(),
                      entry.getValue(),
                      answer.path(entry.getKey())));
    } else if (expected.isArray()) {
      assertEquals(expected.size(), answer.size(), request + "\n" + answer);
      for (var at = 0; at < expected.size(); at++) {
        compare(request, expected.get(at), answer.get(at));
      }
    } else {
      assertEquals(expected, answer, request);
    }
  }
}
