package dev.gorkie.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/// What a request's body holds, and nothing else.
///
/// @param choice of these fields there is exactly one; none where it does not matter
record Shape(List<Field> fields, List<String> choice) {

  private static final int DEPTH_MAX = 16;

  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  static Shape of(Field... fields) {
    return new Shape(List.of(fields), List.of());
  }

  Shape withOneOf(String... names) {
    return new Shape(fields, List.of(names));
  }

  /// The body with what it leaves out filled in.
  ObjectNode read(byte[] body) {
    var read = parsed(body);
    check(read);
    return read;
  }

  /// Fills in what is left out.
  void check(ObjectNode read) {
    read.fieldNames()
        .forEachRemaining(
            name -> {
              if (fields.stream().noneMatch(field -> field.name().equals(name))) {
                throw new Refused(
                    Problem.wrong("unknown_field", "There is no field %s here.".formatted(name)));
              }
            });
    for (var field : fields) {
      read(field, read);
    }
    if (!choice.isEmpty() && choice.stream().filter(read::has).count() != 1) {
      throw new Refused(
          Problem.wrong(
              "invalid_field",
              "Exactly one of %s is expected.".formatted(String.join(", ", choice))));
    }
  }

  private static void read(Field field, ObjectNode read) {
    var value = read.get(field.name());
    if (value == null) {
      if (field.required()) {
        throw new Refused(
            Problem.wrong("missing_field", "The field %s is missing.".formatted(field.name())));
      }
      field.otherwise().ifPresent(it -> read.set(field.name(), it));
      return;
    }
    field
        .complaint(value)
        .ifPresent(
            expected -> {
              throw new Refused(
                  Problem.wrong(
                      "invalid_field",
                      "The field %s is not what it should be. Expected: %s."
                          .formatted(field.name(), expected)));
            });
  }

  private static ObjectNode parsed(byte[] body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException _) {
      throw new Refused(Problem.malformed("The body is not JSON."));
    }
    throw new Refused(Problem.malformed("The body is not a JSON object."));
  }

  /// As OpenAPI has it.
  ObjectNode schema() {
    var schema = JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
    var properties = schema.putObject("properties");
    fields.forEach(field -> field.describe(properties));
    var required = fields.stream().filter(Field::required).map(Field::name).toList();
    if (!required.isEmpty()) {
      var names = schema.putArray("required");
      required.forEach(names::add);
    }
    if (!choice.isEmpty()) {
      var one = schema.putArray("oneOf");
      choice.forEach(name -> one.addObject().putArray("required").add(name));
    }
    return schema;
  }
}
