package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JournalTest {

  // Two-, three- and four-byte characters, separators that end no line, a carriage return, DEL.
  private static final String AWKWARD =
      """
      {"type":"agent_start"}
      #{"beat":{"end":12}}
      {"type":"a","text":"ä–𝄞\u2028\u2029\u0085\u007f\\r"}\r
      {"type":"b"}
      """;

  @Test
  void lines_and_offsets_are_the_same_wherever_the_bytes_were_cut() {
    var bytes = AWKWARD.getBytes(StandardCharsets.UTF_8);
    var whole = read(bytes, new int[] {});

    for (var cut = 0; cut <= bytes.length; cut++) {
      assertEquals(whole, read(bytes, new int[] {cut}), "cut at " + cut);
    }
  }

  @Test
  void one_byte_at_a_time_gives_the_same_lines() {
    var bytes = AWKWARD.getBytes(StandardCharsets.UTF_8);
    var everywhere = new int[bytes.length];
    Arrays.setAll(everywhere, i -> i);

    assertEquals(read(bytes, new int[] {}), read(bytes, everywhere));
  }

  @Test
  void notes_count_nothing_and_records_count_their_bytes() {
    var journal = new Journal(1_000);

    journal.feed("#{\"hello\":{}}\n{\"ä\":1}\n{}\n".getBytes(StandardCharsets.UTF_8));

    assertEquals("note {\"hello\":{}}", shown(journal.next().orElseThrow()));
    assertEquals("{\"ä\":1} 1009", shown(journal.next().orElseThrow()));
    assertEquals("{} 1012", shown(journal.next().orElseThrow()));
  }

  @Test
  void a_line_at_the_limit_is_a_record_and_one_above_it_is_passed_over_and_counted() {
    var journal = new Journal(0);
    var fits = "x".repeat(Journal.LINE_BYTES_MAX);

    journal.feed((fits + "\n" + fits + "y\n{}\n").getBytes(StandardCharsets.UTF_8));

    assertEquals(fits + " " + (fits.length() + 1), shown(journal.next().orElseThrow()));
    assertEquals(
        "oversize " + (fits.length() + 1) + " " + (2 * fits.length() + 3),
        shown(journal.next().orElseThrow()));
    assertEquals("{} " + (2 * fits.length() + 6), shown(journal.next().orElseThrow()));
  }

  @Test
  void after_a_break_the_open_line_comes_again_as_a_whole() {
    var journal = new Journal(0);
    journal.feed("{\"a\":1}\n{\"b\"".getBytes(StandardCharsets.UTF_8));
    journal.next();

    journal.moveTo(8);
    journal.feed("{\"b\":2}\n".getBytes(StandardCharsets.UTF_8));

    assertEquals("{\"b\":2} 16", shown(journal.next().orElseThrow()));
  }

  @Test
  void
      a_long_journal_cut_at_every_offset_and_read_on_from_the_last_record_gives_the_same_records() {
    var bytes = longJournal();
    var whole = read(bytes, new int[] {});
    var record = 0;
    var start = 0;
    for (var end = 0; end < bytes.length; end++) {
      if (bytes[end] != '\n') {
        continue;
      }
      // A cut loses what had no LF yet and nothing else, so it shows in the record that it hits.
      for (var cut = start; cut <= end; cut++) {
        var journal = new Journal(start);
        journal.feed(Arrays.copyOfRange(bytes, start, cut));
        assertEquals(Optional.empty(), journal.next(), "cut at " + cut);
        journal.moveTo(start);
        journal.feed(Arrays.copyOfRange(bytes, start, end + 1));
        assertEquals(whole.get(record), shown(journal.next().orElseThrow()), "cut at " + cut);
      }
      start = end + 1;
      record++;
    }
    assertEquals(whole.size(), record);
  }

  /// 200 KB of records, some short, some of several kilobytes, in one- to four-byte characters.
  private static byte[] longJournal() {
    var text = new StringBuilder();
    for (var i = 0; text.length() < 120_000; i++) {
      text.append("{\"type\":\"r")
          .append(i)
          .append("\",\"text\":\"")
          .append("aä語😀\u2028".repeat(i % 97))
          .append("\"}\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> read(byte[] bytes, int[] cuts) {
    var journal = new Journal(0);
    var start = 0;
    for (var cut : cuts) {
      journal.feed(Arrays.copyOfRange(bytes, start, cut));
      start = cut;
    }
    journal.feed(Arrays.copyOfRange(bytes, start, bytes.length));
    var lines = new ArrayList<String>();
    for (var line = journal.next(); line.isPresent(); line = journal.next()) {
      lines.add(shown(line.get()));
    }
    return lines;
  }

  private static String shown(Journal.Line line) {
    return switch (line) {
      case Journal.Line.Record(var json, var next) ->
          new String(json, StandardCharsets.UTF_8) + " " + next;
      case Journal.Line.Note(var json) -> "note " + new String(json, StandardCharsets.UTF_8);
      case Journal.Line.Oversize(var bytes, var next) -> "oversize " + bytes + " " + next;
    };
  }
}
