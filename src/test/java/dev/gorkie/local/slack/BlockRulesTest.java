package dev.gorkie.local.slack;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Slack's limits for blocks, each at its edge.
class BlockRulesTest {

  static Stream<Arguments> edges() {
    return Stream.of(
        Arguments.of("blocks", 50, (Edge) n -> many(n, new JsonObject().put("type", "divider"))),
        Arguments.of("section text", 3_000, (Edge) n -> one(section(words(n)))),
        Arguments.of(
            "header",
            150,
            (Edge) n -> one(new JsonObject().put("type", "header").put("text", plain(words(n))))),
        Arguments.of("button text", 75, (Edge) n -> one(actions(button(words(n), "a", "v")))),
        Arguments.of("button action_id", 255, (Edge) n -> one(actions(button("b", words(n), "v")))),
        Arguments.of("button value", 2_000, (Edge) n -> one(actions(button("b", "a", words(n))))),
        Arguments.of("button url", 3_000, (Edge) n -> one(actions(link(words(n))))),
        Arguments.of("block_id", 255, (Edge) n -> one(section("s").put("block_id", words(n)))),
        Arguments.of("section field", 2_000, (Edge) n -> one(fields(1, words(n)))),
        Arguments.of("section fields", 10, (Edge) n -> one(fields(n, "f"))),
        Arguments.of("options", 100, (Edge) n -> one(actions(select(n, "o")))),
        Arguments.of("option text", 75, (Edge) n -> one(actions(select(1, words(n))))),
        Arguments.of("label of an input", 2_000, (Edge) n -> one(input(words(n), "v", 1))),
        Arguments.of("text in an input", 3_000, (Edge) n -> one(input("l", words(n), 1))),
        Arguments.of("length of an input", 3_000, (Edge) n -> one(input("l", "v", n))),
        Arguments.of("rows of a plan", 50, (Edge) n -> one(plan(n))),
        Arguments.of("card title", 150, (Edge) n -> one(card("title", words(n)))),
        Arguments.of("card body", 200, (Edge) n -> one(card("body", words(n)))),
        Arguments.of(
            "cards of a carousel",
            10,
            (Edge) n -> one(typed("carousel").put("elements", many(n, card("title", "t"))))),
        Arguments.of("columns of a data table", 20, (Edge) n -> one(dataTable(1, n, "c"))),
        Arguments.of("rows of a data table", 100, (Edge) n -> one(dataTable(n, 1, "c"))),
        Arguments.of("text of a data table", 10_000, (Edge) n -> one(dataTable(1, 1, words(n)))),
        Arguments.of("charts", 2, (Edge) n -> many(n, typed("data_visualization"))),
        Arguments.of(
            "markdown in total",
            12_000,
            (Edge)
                n -> new JsonArray().add(markdown(words(6_000))).add(markdown(words(n - 6_000)))));
  }

  /// Blocks that have so much of something.
  interface Edge {
    JsonArray of(int n);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("edges")
  void a_limit_is_kept_at_its_edge_and_refused_one_beyond(String what, int most, Edge edge) {
    assertDoesNotThrow(() -> BlockRules.check(edge.of(most)), what);
    assertEquals("invalid_blocks", refusal(edge.of(most + 1)).error());
  }

  @Test
  void too_much_text_over_all_blocks_is_too_long() {
    assertDoesNotThrow(() -> BlockRules.check(many(44, section(words(300)))));
    assertEquals("msg_blocks_too_long", refusal(many(45, section(words(300)))).error());
  }

  @Test
  void the_details_of_a_task_are_rich_text_and_never_a_string() {
    var task =
        new JsonObject()
            .put("type", "task_card")
            .put("task_id", "1")
            .put("title", "Read")
            .put("details", "file");

    assertEquals(
        List.of("[ERROR] must be a rich_text object [json-pointer:/blocks/0/details]"),
        refusal(one(task)).reasons());
  }

  @Test
  void what_a_menu_shows_first_is_one_of_its_options() {
    var menu = select(2, "o");
    var first = menu.getJsonArray("options").getJsonObject(0);

    assertDoesNotThrow(
        () -> BlockRules.check(one(actions(menu.copy().put("initial_option", first.copy())))));
    assertEquals(
        "invalid_blocks",
        refusal(one(actions(menu.copy().put("initial_option", new JsonObject())))).error());
  }

  @Test
  void a_block_of_an_unknown_type_is_refused_by_name() {
    assertEquals(
        List.of("[ERROR] unsupported type: hologram [json-pointer:/blocks/0/type]"),
        refusal(one(new JsonObject().put("type", "hologram"))).reasons());
  }

  private static Refusal refusal(JsonArray blocks) {
    return assertThrows(Refusal.class, () -> BlockRules.check(blocks));
  }

  private static String words(int characters) {
    return "x".repeat(characters);
  }

  private static JsonArray one(JsonObject block) {
    return new JsonArray().add(block);
  }

  private static JsonArray many(int n, JsonObject block) {
    return new JsonArray(IntStream.range(0, n).mapToObj(_ -> block.copy()).toList());
  }

  private static JsonObject plain(String text) {
    return new JsonObject().put("type", "plain_text").put("text", text);
  }

  private static JsonObject section(String text) {
    return new JsonObject().put("type", "section").put("text", plain(text));
  }

  private static JsonObject typed(String type) {
    return new JsonObject().put("type", type);
  }

  private static JsonObject fields(int n, String text) {
    return typed("section").put("fields", many(n, plain(text)));
  }

  private static JsonObject link(String url) {
    return typed("button").put("text", plain("b")).put("url", url);
  }

  private static JsonObject select(int n, String text) {
    var option = new JsonObject().put("text", plain(text)).put("value", "v");
    return typed("static_select").put("options", many(n, option));
  }

  private static JsonObject input(String label, String value, int most) {
    var field = typed("plain_text_input").put("initial_value", value).put("max_length", most);
    return typed("input").put("label", plain(label)).put("element", field);
  }

  private static JsonObject plan(int n) {
    var task = typed("task_card").put("task_id", "1").put("title", "t");
    return typed("plan").put("title", "p").put("tasks", many(n, task));
  }

  private static JsonObject card(String field, String text) {
    return typed("card").put(field, plain(text));
  }

  private static JsonObject dataTable(int rows, int columns, String text) {
    var cell = typed("raw_text").put("text", text);
    var row = many(columns, cell);
    return typed("data_table")
        .put("rows", new JsonArray(IntStream.range(0, rows).mapToObj(_ -> row.copy()).toList()));
  }

  private static JsonObject markdown(String text) {
    return new JsonObject().put("type", "markdown").put("text", text);
  }

  private static JsonObject actions(JsonObject element) {
    return new JsonObject().put("type", "actions").put("elements", new JsonArray().add(element));
  }

  private static JsonObject button(String text, String actionId, String value) {
    return new JsonObject()
        .put("type", "button")
        .put("text", plain(text))
        .put("action_id", actionId)
        .put("value", value);
  }
}
