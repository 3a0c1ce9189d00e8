package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonTest {

  private static final ObjectMapper JACKSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");

  // What is hard about JSON, in one place each.
  private static final List<String> AWKWARD =
      List.of(
          "{}",
          " [ ] ",
          "{\"a\":[1,-0,0.5,-1.25e-3,1E+2,9223372036854775807,1e400],\"b\":{\"\":null}}",
          "{\"a\":true,\"a\":false,\"\\u0061\":\"last\"}",
          "\"\\\"\\\\\\/\\b\\f\\n"
              + "\\r"
              + "\\t\\u00e9\\u8a9e\\ud83d\\ude42\\ud83d\\u0000\\ude42 é語🙂\u2028\u007f\"",
          "[[[[{\"a\":[{},{\"b\":[[],[]]}]}]]]]",
          "{\"type\":\"text_delta\",\"delta\":\"12345678\\n12345678\"}");

  private static final String GARBAGE = "{}[]\",:\\u0e+-.tfn \n\u0001é";
  private static final int CHANGES_MAX = 3;
  private static final int TRIES = 10_000;

  @Test
  void it_reads_what_another_reader_reads_and_refuses_what_that_refuses() throws IOException {
    var random = new Random(9);
    var texts = texts();

    for (var text : texts) {
      assertSame(text);
    }
    for (var tries = 0; tries < TRIES; tries++) {
      assertSame(changed(texts.get(random.nextInt(texts.size())), random));
    }
  }

  @Test
  void what_is_nested_as_deep_as_may_be_is_read_and_what_is_deeper_is_not() {
    var deepest = "[1,".repeat(Bounds.DEPTH_MAX) + "2" + "]".repeat(Bounds.DEPTH_MAX);

    assertTrue(Json.read(deepest).isPresent());
    assertTrue(Json.read("[" + deepest + "]").isEmpty());
    assertTrue(Json.read("[".repeat(Bounds.DEPTH_MAX) + "]".repeat(Bounds.DEPTH_MAX)).isPresent());
    assertTrue(
        Json.read("[" + "[".repeat(Bounds.DEPTH_MAX) + "]".repeat(Bounds.DEPTH_MAX) + "]")
            .isEmpty());
  }

  @Test
  void a_number_may_have_as_many_digits_as_any_has() {
    assertTrue(Json.read("1".repeat(Bounds.DIGITS_MAX)).isPresent());
    assertTrue(Json.read("1".repeat(Bounds.DIGITS_MAX + 1)).isEmpty());
  }

  @Test
  void what_is_not_there_is_nothing() {
    var nothing = Json.read("{\"a\":[]}").orElseThrow().path("b").path("c");

    assertEquals("", nothing.text());
    assertEquals(0, nothing.number());
    assertEquals(0.0, nothing.decimal());
    assertTrue(nothing.isTrue(true));
    assertTrue(!nothing.isText() && !nothing.isScalar() && !nothing.isObject());
    assertTrue(!nothing.iterator().hasNext());
  }

  @Test
  void a_number_that_is_too_large_to_count_with_is_none() {
    assertEquals(0.0, Json.read("1e400").orElseThrow().decimal());
    assertEquals(Long.MAX_VALUE, Json.read("1e400").orElseThrow().number());
  }

  @Test
  void half_a_pair_is_no_character() {
    assertEquals("a\uFFFDb", Json.read("\"a\\ud83db\"").orElseThrow().text());
  }

  @Test
  void a_byte_is_found_wherever_it_stands_and_whatever_stands_around_it() {
    var random = new Random(4);

    for (var tries = 0; tries < TRIES; tries++) {
      var bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      var from = random.nextInt(bytes.length + 1);

      var newline = from;
      while (newline < bytes.length && bytes[newline] != '\n') {
        newline++;
      }
      var special = from;
      while (special < bytes.length
          && bytes[special] != '"'
          && bytes[special] != '\\'
          && (bytes[special] < 0 || bytes[special] >= ' ')) {
        special++;
      }
      assertEquals(newline, Words.find(bytes, from, (byte) '\n'));
      assertEquals(special, Words.special(bytes, from));
    }
  }

  private static List<byte[]> texts() throws IOException {
    var texts = new ArrayList<byte[]>();
    AWKWARD.forEach(text -> texts.add(text.getBytes(StandardCharsets.UTF_8)));
    try (var files = Files.list(TRANSCRIPTS)) {
      for (var file : files.sorted().toList()) {
        Files.readAllLines(file).forEach(line -> texts.add(line.getBytes(StandardCharsets.UTF_8)));
      }
    }
    return texts;
  }

  private static byte[] changed(byte[] text, Random random) {
    var bytes = text.clone();
    for (var changes = 1 + random.nextInt(CHANGES_MAX); changes > 0; changes--) {
      var at = random.nextInt(bytes.length);
      var length = random.nextInt(8) == 0 ? at + 1 : bytes.length;
      bytes = ByteBuffer.allocate(length).put(bytes, 0, length).array();
      bytes[at] = (byte) GARBAGE.charAt(random.nextInt(GARBAGE.length()));
    }
    return bytes;
  }

  private static void assertSame(byte[] bytes) {
    if (!isUtf8(bytes)) {
      assertTrue(Json.read(bytes).isEmpty());
      return;
    }
    var said = new String(bytes, StandardCharsets.UTF_8);
    assertEquals(other(bytes), Json.read(bytes).map(JsonTest::plain), said);
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }

  private static Optional<Object> other(byte[] bytes) {
    try {
      var node = JACKSON.readTree(bytes);
      return node.isMissingNode() ? Optional.empty() : Optional.of(plain(node));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Object plain(Json value) {
    if (value.isObject()) {
      var members = new HashMap<String, Object>();
      value.members((name, member) -> members.put(name, plain(member)));
      members.forEach(
          (name, member) -> {
            if (name.chars().allMatch(character -> character < 0x80)) {
              assertEquals(member, plain(value.path(name)));
            }
          });
      return members;
    }
    if (value.isText()) {
      return "text " + value.text();
    }
    if (!value.isScalar()) {
      var elements = new ArrayList<Object>();
      value.forEach(element -> elements.add(plain(element)));
      return elements;
    }
    return switch (value.text()) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> "nothing";
      // There are two zeros among these.
      default -> List.of(value.number(), value.decimal() + 0.0);
    };
  }

  private static Object plain(JsonNode node) {
    if (node.isObject()) {
      var members = new HashMap<String, Object>();
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        members.put(whole(member.getKey()), plain(member.getValue()));
      }
      return members;
    }
    if (node.isTextual()) {
      return "text " + whole(node.asText());
    }
    if (node.isArray()) {
      var elements = new ArrayList<Object>();
      node.forEach(element -> elements.add(plain(element)));
      return elements;
    }
    if (node.isBoolean()) {
      return node.asBoolean();
    }
    return node.isNull() ? "nothing" : List.of(number(node), decimal(node));
  }

  private static long number(JsonNode node) {
    return node.isLong() || node.isInt() ? node.asLong() : (long) node.asDouble();
  }

  private static double decimal(JsonNode node) {
    return Double.isFinite(node.asDouble()) ? node.asDouble() + 0.0 : 0;
  }

  /// Without halves of pairs.
  private static String whole(String text) {
    return text.codePoints()
        .map(one -> one >= Character.MIN_SURROGATE && one <= Character.MAX_SURROGATE ? 0xFFFD : one)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
