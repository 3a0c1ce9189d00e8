package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {

  private static final Pattern PING =
      Pattern.compile(
          "<[@#]|<!(?!doctype)[a-z]|(?<!\\w)@(?:here|channel|everyone)\\b",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\n\\t]]|[\\u202a-\\u202e]");

  @Nested
  class Neutralised {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "# Title\n\n"
              + "Text with *stars*, **more** and `code`.\n\n"
              + "- one\n"
              + "  - two\n\n"
              + "1. three\n"
              + "2. four",
          "| a | b |\n|---|:-:|\n| 1 | `x` |",
          "```java\nif (a < b && c > d) { x[0](y); }\n```",
          "```html\n"
              + "<!DOCTYPE html>\n"
              + "<!-- a comment -->\n"
              + "<img src=\"a.png\">\n"
              + "[a](https://example.com)\n"
              + "```",
          "> quoted\n> more",
          "- [ ] open\n- [x] done",
          "https://example.com/a?b=c#d and <https://example.com/>",
          "a@b.example, @alice, x < y, &lt;b&gt;, 5 * 3 [sic] (yes)!",
          "$(touch x) 😀 ünï \u2028 日本"
        })
    void harmless_Markdown_stays_as_it_is(String markdown) {
      assertEquals(markdown, Markdown.neutralise(markdown));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '~',
        value = {
          "[the docs](https://example.com/a)~[the docs](https://example.com/a) (example.com)",
          "[https://bank.example](https://evil.example/x"
              + " \"bank\")~[https://bank.example](https://evil.example/x) (evil.example)",
          "[example.com](https://example.com)~<https://example.com>",
          "<https://evil.example|https://bank.example>~[https://bank.example](https://evil.example)"
              + " (evil.example)",
          "![chart](https://evil.example/p.png?s=secret)~[chart](https://evil.example/p.png?s=secret)"
              + " (evil.example)",
          "![](https://evil.example/p.png)~<https://evil.example/p.png>",
          "[![badge](https://a.example/b.svg)](https://c.example/d)~<https://c.example/d>",
          "[x](https://bank.example@evil.example/)~[x](https://evil.example/) (evil.example)",
          "[x](https://evil.example\\@bank.example/)~[x](https://evil.example/@bank.example/)"
              + " (evil.example)",
          "[x](https://b\u0430nk.example/)~[x](https://xn--bnk-6cd.example/) (xn--bnk-6cd.example)",
          "[click](javascript:alert(1))~click (javascript:alert(1))",
          "[a file](./report.md)~a file (./report.md)",
          "[mail](mailto:a@b.example)~[mail](mailto:a@b.example) (a@b.example)",
          "[x](<https://evil.example/a b>)~[x](https://evil.example/a%20b) (evil.example)"
        })
    void a_link_says_where_it_goes_and_an_image_is_a_link(String markdown, String expected) {
      assertEquals(expected, Markdown.neutralise(markdown));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "[bank](https://evil.example \"(\")",
          "[bank][1]\n\n[1]: https://evil.example",
          "> [bank][1]\n>\n> [1]: https://evil.example",
          "![bank][1]\n\n- [1]: https://evil.example/a.png",
          "` \n `[bank](https://evil.example)`",
          "\\[bank](https://evil.example)",
          "~~~\n[bank](https://evil.example)",
          "    ```\n[bank](https://evil.example)\n    ```",
          "`[bank](https://evil.example)`"
        })
    void no_way_of_writing_it_hides_where_a_link_goes(String markdown) {
      var outsideFences = Markdown.neutralise(markdown).replaceAll("(?s)```.*?```", "");

      var hidden = Pattern.compile("]\\((?!.*\\) \\(evil\\.example\\))|]:").matcher(outsideFences);
      assertFalse(hidden.find(), outsideFences);
    }

    @Test
    void a_query_that_could_carry_a_secret_out_is_taken_off() {
      var secret = "s".repeat(300);

      assertEquals(
          "[x](https://evil.example/p) (evil.example) and https://evil.example/q",
          Markdown.neutralise(
              "[x](https://evil.example/p?" + secret + ") and https://evil.example/q#" + secret));
    }

    @Test
    void fences_come_out_closed_unindented_and_of_backticks() {
      assertEquals(
          "```py\na\n b\n```\n\n````\n```\n````\n> ```\n> c\n> ```\nd",
          Markdown.neutralise(
              "  ~~~ py\n  a\n   b\n  ~~~\n\n~~~\n```\n~~~\n> ```\n> c\nd"
                  .replace("~~~ py", "~~~py")));
    }

    @Test
    void nothing_pings_and_nothing_controls_a_terminal_wherever_it_stands() {
      var bad =
          List.of(
              "<!channel>",
              "<!here>",
              "<!everyone>",
              "<!subteam^S0CREW000|@crew>",
              "<@U0ALICE00>",
              "<@W0BOB0000|bob>",
              "<#C0GENERAL>",
              "<!CHANNEL>",
              "&lt;!channel&gt;",
              "@channel",
              "@here",
              "@everyone",
              "\u001b[31mred\u001b[0m",
              "\u001b]0;title\u0007",
              "\u009b31m",
              "\u0000",
              "\u007f",
              "\u202e",
              "<!\u0000channel>",
              "<\u001b[0m!here>",
              "@\u0008channel",
              "<\u202e@U0ALICE00>",
              "\ud800");
      var frames =
          List.of(
              "%s",
              "a%sb",
              "`%s`",
              "```\n%s\n```",
              "| %s | b |\n|---|---|\n| c | %1$s |",
              "> %s",
              "[%s](https://example.com)",
              "![%s](https://example.com/a.png)",
              "- %s",
              "# %s",
              "<https://example.com|%s>",
              "[a](https://example.com/%s)",
              "%1$s%1$s",
              "[x]: %s");
      var random = new Random(3);
      for (var i = 0; i < 5_000; i++) {
        var text = bad.get(random.nextInt(bad.size())) + bad.get(random.nextInt(bad.size()));
        var markdown = frames.get(i % frames.size()).formatted(text);

        var safe = Markdown.neutralise(markdown);

        assertFalse(PING.matcher(safe).find(), () -> markdown + " became " + safe);
        assertFalse(CONTROL.matcher(safe).find(), () -> markdown + " became " + safe);
      }
    }

    @Test
    void hostile_lengths_and_depths_are_borne() {
      for (var piece :
          List.of(
              "[", "![", "`", "``` ", "<", "](", "[a](", "\\", "<!", "> ", "[a](b)", "|-",
              "http://", "@here", "\u001b[")) {
        var safe = Markdown.neutralise(piece.repeat(30_000));
        assertFalse(safe.contains("\u001b"));
      }
    }
  }

  @Nested
  class Cut {

    @Test
    void what_fits_is_one_piece() {
      var markdown = "# Title\n\ntext\n- a\n\n```sh\nls\n```\nmore\n\n| a |\n|---|\n| 1 |";

      assertEquals(List.of(markdown), Markdown.cut(markdown, 9_000));
      assertEquals(List.of(), Markdown.cut(" \n\n ", 9_000));
    }

    @Test
    void paragraphs_are_kept_together() {
      var paragraph = "word ".repeat(60).strip() + ".";
      var pieces = Markdown.cut(String.join("\n\n", List.of(paragraph, paragraph, paragraph)), 700);

      assertEquals(List.of(paragraph + "\n\n" + paragraph, paragraph), pieces);
    }

    @Test
    void code_is_closed_and_opened_again_in_its_language() {
      var lines = new ArrayList<String>();
      for (var i = 0; i < 100; i++) {
        lines.add("  line " + i);
      }

      var pieces = Markdown.cut("```java\n" + String.join("\n", lines) + "\n```", 600);

      assertTrue(pieces.size() > 1);
      var code = new ArrayList<String>();
      for (var piece : pieces) {
        assertTrue(piece.startsWith("```java\n") && piece.endsWith("\n```"), piece);
        code.addAll(piece.lines().filter(line -> !line.startsWith("```")).toList());
      }
      assertEquals(lines, code);
    }

    @Test
    void every_piece_of_a_table_has_its_head() {
      var rows = new ArrayList<String>();
      for (var i = 0; i < 100; i++) {
        rows.add("| " + i + " | row |");
      }

      var pieces = Markdown.cut("| n | what |\n|---|---|\n" + String.join("\n", rows), 600);

      var found = new ArrayList<String>();
      for (var piece : pieces) {
        assertTrue(piece.startsWith("| n | what |\n|---|---|\n"), piece);
        found.addAll(piece.lines().skip(2).toList());
      }
      assertEquals(rows, found);
    }

    @Test
    void no_link_in_angle_brackets_is_cut() {
      var link = "<https://example.com/" + "a".repeat(80) + ">";

      for (var piece : Markdown.cut((link + " ").repeat(50).strip(), 512)) {
        assertEquals("", piece.replace(link, "").strip());
      }
      for (var piece : Markdown.cut(link.repeat(50), 512)) {
        assertEquals("", piece.replace(link, ""));
      }
    }

    @Test
    void one_endless_line_is_cut_between_characters() {
      var text = "😀".repeat(5_000);

      var pieces = Markdown.cut(text, 1_001);

      assertEquals(text, String.join("", pieces));
      pieces.forEach(
          piece -> assertEquals(0, piece.codePointCount(0, piece.length()) * 2 - piece.length()));
    }

    @Test
    void a_table_whose_row_is_too_long_and_an_endless_line_of_code_are_cut_all_the_same() {
      var row = "| " + "cell ".repeat(400) + "|";
      var table = Markdown.cut("| a |\n|---|\n" + row, 600);
      var code = Markdown.cut("```js\n" + "x".repeat(5_000) + "\n```", 600);

      assertEquals(content("| a |\n|---|\n" + row), content(String.join("\n", table)));
      assertEquals(
          "x".repeat(5_000), String.join("", code).replace("```js", "").replaceAll("[`\n]", ""));
    }

    @Test
    void a_piece_too_small_to_hold_anything_is_refused() {
      assertThrows(IllegalArgumentException.class, () -> Markdown.cut("text", 100));
    }

    @Test
    void whatever_the_Markdown_nothing_is_lost_and_every_piece_fits_and_stands_alone() {
      var random = new Random(5);
      for (var i = 0; i < 400; i++) {
        var markdown = Markdown.neutralise(someMarkdown(random));
        var bytesMax = Markdown.PIECE_BYTES_MIN + random.nextInt(2_000);

        var pieces = Markdown.cut(markdown, bytesMax);

        for (var piece : pieces) {
          assertTrue(piece.getBytes(UTF_8).length <= bytesMax);
          assertEquals(0, fenceMarks(piece) % 2, piece);
          assertFalse(Character.isLowSurrogate(piece.charAt(0)));
          assertFalse(Character.isHighSurrogate(piece.charAt(piece.length() - 1)));
        }
        assertEquals(content(markdown), content(String.join("\n", pieces)), markdown);
      }
    }

    private static long fenceMarks(String piece) {
      return piece.lines().filter(line -> line.matches("(> )?`{3,}\\w*")).count();
    }

    /// All that is to be read: without blanks, fences, and the heads of tables.
    private static String content(String markdown) {
      var lines =
          markdown
              .lines()
              .filter(line -> !line.matches("(> )?`{3,}\\w*|\\| head.*|\\|---.*"))
              .map(line -> line.startsWith("> ") ? line.substring(2) : line)
              .toList();
      return String.join("", lines).replaceAll("\\s", "");
    }

    private static String someMarkdown(Random random) {
      var blocks = new ArrayList<String>();
      for (var count = 1 + random.nextInt(6); count > 0; count--) {
        blocks.add(
            switch (random.nextInt(6)) {
              case 0 -> "```java\n" + lines(random, "") + "\n```";
              case 1 -> "> ```\n" + lines(random, "> ") + "\n> ```";
              case 2 ->
                  "| head | of |\n|---|---|\n" + lines(random, "| ").replace("\n", " |\n") + " |";
              case 3 -> lines(random, "- ");
              case 4 -> words(random, random.nextInt(2_000));
              default ->
                  "x".repeat(random.nextInt(3_000))
                      + "<https://example.com/"
                      + "a".repeat(random.nextInt(100))
                      + ">";
            });
      }
      return String.join(random.nextBoolean() ? "\n\n" : "\n", blocks);
    }

    private static String lines(Random random, String prefix) {
      var lines = new ArrayList<String>();
      for (var count = 1 + random.nextInt(40); count > 0; count--) {
        lines.add(prefix + words(random, 1 + random.nextInt(random.nextInt(20) == 0 ? 300 : 12)));
      }
      return String.join("\n", lines);
    }

    private static String words(Random random, int count) {
      var words = new ArrayList<String>();
      for (var i = 0; i < count; i++) {
        words.add(List.of("word", "naïve", "日本", "😀", "a.", "x=1;", "and").get(random.nextInt(7)));
      }
      return String.join(" ", words);
    }
  }
}
