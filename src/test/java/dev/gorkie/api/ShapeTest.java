package dev.gorkie.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Bodies of requests, up to their limits and one beyond.
class ShapeTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BODIES = 20_000;

  static Stream<Shape> shapes() {
    return Stream.concat(Stream.of(Call.values()).map(Call::shape), Stream.of(PoliciesDoor.SHAPE));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void a_number_and_a_text_are_taken_up_to_their_limits_and_not_beyond(Shape shape) {
    for (var field : shape.fields()) {
      switch (field.type()) {
        case INTEGER -> {
          assertTaken(shape, field, LongNode.valueOf(field.least()));
          assertTaken(shape, field, LongNode.valueOf(field.most()));
          assertRefused(shape, field, LongNode.valueOf(field.least() - 1));
          assertRefused(shape, field, LongNode.valueOf(field.most() + 1));
        }
        case TEXT -> {
          if (field.choices().isEmpty() && !field.name().equals("network")) {
            assertTaken(shape, field, text(field.most()));
            assertRefused(shape, field, text(field.most() + 1));
          }
          if (field.least() > 0) {
            assertTaken(shape, field, text(field.least()));
            assertRefused(shape, field, text(field.least() - 1));
          }
        }
        case FLAG, LIST, MAP -> {}
      }
      assertRefused(shape, field, NullNode.getInstance());
    }
  }

  private static TextNode text(long characters) {
    return TextNode.valueOf("a".repeat((int) characters));
  }

  private static void assertTaken(Shape shape, Field field, JsonNode value) {
    assertDoesNotThrow(() -> read(shape, with(shape, field, value)), field.name());
  }

  private static void assertRefused(Shape shape, Field field, JsonNode value) {
    var problem =
        assertThrows(Refused.class, () -> read(shape, with(shape, field, value)), field.name())
            .problem();
    assertEquals(422, problem.status());
  }

  @Test
  void a_list_and_a_map_are_taken_up_to_their_limits_and_not_beyond() {
    var files = field(Call.COPY.shape(), "files");
    assertTaken(Call.COPY.shape(), files, files(100));
    assertRefused(Call.COPY.shape(), files, files(101));
    assertRefused(Call.COPY.shape(), files, files(0));
    var environment = field(PoliciesDoor.SHAPE, "environment");
    assertTaken(PoliciesDoor.SHAPE, environment, environment(64, 4_096));
    assertRefused(PoliciesDoor.SHAPE, environment, environment(65, 1));
    assertRefused(PoliciesDoor.SHAPE, environment, environment(1, 4_097));
  }

  private static JsonNode files(int count) {
    var files = JSON.createArrayNode();
    for (var at = 0; at < count; at++) {
      files.addObject().put("path", "a" + at).put("content", "");
    }
    return files;
  }

  private static JsonNode environment(int count, int characters) {
    var environment = JSON.createObjectNode();
    for (var at = 0; at < count; at++) {
      environment.put("A" + at, "v".repeat(characters));
    }
    return environment;
  }

  @Test
  void what_is_left_out_is_filled_in() {
    var read = read(Call.BASH.shape(), JSON.createObjectNode().put("command", "true"));

    assertEquals(120, read.path("timeout").asInt());
    assertEquals(65_536, read.path("max_output").asInt());
  }

  /// Whatever comes, there is an answer for it.
  @Test
  void no_body_is_more_than_a_problem() {
    var random = new Random(1);
    var pieces =
        List.of(
            "{",
            "}",
            "[",
            "]",
            "\"command\"",
            ":",
            ",",
            "1",
            "-0.5e9",
            "\"x\"",
            "null",
            "true",
            "\\",
            "\u0000",
            " ");
    for (var body = 0; body < BODIES; body++) {
      var text = new StringBuilder();
      for (var piece = random.nextInt(12); piece > 0; piece--) {
        text.append(pieces.get(random.nextInt(pieces.size())));
      }
      try {
        Call.BASH.shape().read(text.toString().getBytes(UTF_8));
      } catch (Refused refused) {
        assertEquals(4, refused.problem().status() / 100);
      }
    }
  }

  private static ObjectNode read(Shape shape, ObjectNode body) {
    return shape.read(body.toString().getBytes(UTF_8));
  }

  private static Field field(Shape shape, String name) {
    return shape.fields().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /// A body that is good, but for this field.
  private static ObjectNode with(Shape shape, Field of, JsonNode value) {
    var body = JSON.createObjectNode();
    for (var field : shape.fields()) {
      if (field.required()) {
        body.set(field.name(), good(field));
      }
    }
    if (!shape.choice().contains(of.name())) {
      shape.choice().stream().findFirst().ifPresent(name -> body.put(name, "aaaa"));
    }
    body.set(of.name(), value);
    return body;
  }

  private static JsonNode good(Field field) {
    return switch (field.type()) {
      case TEXT -> TextNode.valueOf(field.choices().isEmpty() ? "a" : field.choices().getFirst());
      case INTEGER -> IntNode.valueOf((int) field.least());
      case FLAG -> JsonNodeFactory.instance.booleanNode(true);
      case LIST -> files(1);
      case MAP -> JSON.createObjectNode();
    };
  }
}
