package dev.gorkie.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// One field of a request: what may stand in it, and what it is for. The same says what is read and what the document tells.
///
/// @param least of a text's characters, a list's entries, or of a number
/// @param most the same
/// @param form what a text looks like, or each name of a map; empty text for any
/// @param choices what a text may be, or each entry of a list; none for anything
/// @param of what each entry of a list holds, where they are objects
record Field(
    String name,
    Type type,
    boolean required,
    long least,
    long most,
    String form,
    List<String> choices,
    Optional<Shape> of,
    Optional<JsonNode> otherwise,
    String says) {

  // What a variable of an environment may hold.
  private static final int VALUE_CHARACTERS_MAX = 4_096;

  enum Type {
    TEXT("string"),
    INTEGER("integer"),
    FLAG("boolean"),
    LIST("array"),
    MAP("object");

    private final String wire;

    Type(String wire) {
      this.wire = wire;
    }
  }

  static Field text(String name, long most, String says) {
    return new Field(
        name, Type.TEXT, true, 0, most, "", List.of(), Optional.empty(), Optional.empty(), says);
  }

  static Field form(String name, String form, String says) {
    return new Field(
        name, Type.TEXT, true, 0, 256, form, List.of(), Optional.empty(), Optional.empty(), says);
  }

  static Field choice(String name, List<String> choices, String says) {
    return new Field(
        name, Type.TEXT, true, 0, 32, "", choices, Optional.empty(), Optional.empty(), says);
  }

  static Field number(String name, long least, long most, String says) {
    return new Field(
        name,
        Type.INTEGER,
        true,
        least,
        most,
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        says);
  }

  static Field flag(String name, String says) {
    return new Field(
        name, Type.FLAG, true, 0, 0, "", List.of(), Optional.empty(), Optional.empty(), says);
  }

  /// Some of these.
  static Field list(String name, List<String> choices, String says) {
    return new Field(
        name,
        Type.LIST,
        true,
        0,
        choices.size(),
        "",
        choices,
        Optional.empty(),
        Optional.empty(),
        says);
  }

  /// Objects of this shape.
  static Field list(String name, Shape of, long most, String says) {
    return new Field(
        name, Type.LIST, true, 1, most, "", List.of(), Optional.of(of), Optional.empty(), says);
  }

  /// Texts under names of this form.
  static Field map(String name, String form, long most, String says) {
    return new Field(
        name, Type.MAP, true, 0, most, form, List.of(), Optional.empty(), Optional.empty(), says);
  }

  Field from(long least) {
    return new Field(name, type, required, least, most, form, choices, of, otherwise, says);
  }

  Field upTo(long most) {
    return new Field(name, type, required, least, most, form, choices, of, otherwise, says);
  }

  Field optional() {
    return new Field(name, type, false, least, most, form, choices, of, Optional.empty(), says);
  }

  Field otherwise(long value) {
    return otherwise(JsonNodeFactory.instance.numberNode(value));
  }

  Field otherwise(String value) {
    return otherwise(JsonNodeFactory.instance.textNode(value));
  }

  Field otherwise(boolean value) {
    return otherwise(JsonNodeFactory.instance.booleanNode(value));
  }

  private Field otherwise(JsonNode value) {
    return new Field(name, type, false, least, most, form, choices, of, Optional.of(value), says);
  }

  /// What is expected where a value is something else; empty when nothing is wrong.
  ///
  /// @throws Refused where something is wrong further inside
  Optional<String> complaint(JsonNode value) {
    return switch (type) {
      case TEXT -> Optional.of(expectedText()).filter(_ -> !isText(value));
      case INTEGER ->
          Optional.of("a whole number from %d to %d".formatted(least, most))
              .filter(
                  _ ->
                      !value.isIntegralNumber()
                          || !value.canConvertToLong()
                          || value.asLong() < least
                          || value.asLong() > most);
      case FLAG -> Optional.of("true or false").filter(_ -> !value.isBoolean());
      case LIST ->
          Optional.of(
                  "a list of %d to %d%s"
                      .formatted(
                          least,
                          most,
                          choices.isEmpty() ? " objects" : " of " + String.join(", ", choices)))
              .filter(_ -> !isList(value));
      case MAP ->
          Optional.of(
                  "up to %d texts of up to %d characters under names that match %s"
                      .formatted(most, VALUE_CHARACTERS_MAX, form))
              .filter(_ -> !isMap(value));
    };
  }

  private boolean isText(JsonNode value) {
    if (!value.isTextual()) {
      return false;
    }
    var text = value.asText();
    var characters = text.codePointCount(0, text.length());
    return characters >= least
        && characters <= most
        && (choices.isEmpty() || choices.contains(text))
        && (form.isEmpty() || Pattern.matches(form, text));
  }

  private boolean isList(JsonNode value) {
    if (!value.isArray() || value.size() < least || value.size() > most) {
      return false;
    }
    for (var entry : value) {
      if (of.isPresent()
          ? !(entry instanceof ObjectNode)
          : !entry.isTextual() || !choices.contains(entry.asText())) {
        return false;
      }
    }
    of.ifPresent(shape -> value.forEach(entry -> shape.check((ObjectNode) entry)));
    return true;
  }

  private boolean isMap(JsonNode value) {
    return value.isObject()
        && value.size() <= most
        && value.properties().stream()
            .allMatch(
                entry ->
                    Pattern.matches(form, entry.getKey())
                        && entry.getValue().isTextual()
                        && entry.getValue().asText().length() <= VALUE_CHARACTERS_MAX
                        && entry.getValue().asText().indexOf('\0') < 0);
  }

  private String expectedText() {
    if (!choices.isEmpty()) {
      return "one of " + String.join(", ", choices);
    }
    var characters = "a text of %d to %d characters".formatted(least, most);
    return form.isEmpty() ? characters : characters + " that matches " + form;
  }

  /// As OpenAPI has it.
  void describe(ObjectNode properties) {
    var schema = properties.putObject(name).put("type", type.wire);
    switch (type) {
      case TEXT -> {
        if (choices.isEmpty()) {
          schema.put("minLength", least).put("maxLength", most);
        }
        if (!form.isEmpty()) {
          schema.put("pattern", "^(?:" + form + ")$");
        }
        choices(schema);
      }
      case INTEGER -> schema.put("minimum", least).put("maximum", most);
      case FLAG -> {}
      case LIST -> {
        schema.put("minItems", least).put("maxItems", most);
        if (of.isPresent()) {
          schema.set("items", of.get().schema());
        } else {
          choices(schema.putObject("items").put("type", "string"));
        }
      }
      case MAP -> {
        schema.put("maxProperties", most);
        schema.putObject("propertyNames").put("pattern", "^(?:" + form + ")$");
        schema
            .putObject("additionalProperties")
            .put("type", "string")
            .put("maxLength", VALUE_CHARACTERS_MAX);
      }
    }
    otherwise.ifPresent(value -> schema.set("default", value));
    schema.put("description", says);
  }

  private void choices(ObjectNode schema) {
    if (!choices.isEmpty()) {
      var all = schema.putArray("enum");
      choices.forEach(all::add);
    }
  }
}
