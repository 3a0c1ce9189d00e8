package dev.gorkie.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import java.io.BufferedReader;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The lines of a log that are about one thread: JSON, whatever a tool has put before it, or plain ones.
final class LogLines {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern PLAIN =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) +(\\w+) +(.*)");
  private static final DateTimeFormatter PLAIN_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS");

  private LogLines() {}

  static Stream<Happening> of(BufferedReader log, ThreadKey thread) {
    return log.lines()
        .filter(line -> line.contains(thread.toString()))
        .map(LogLines::read)
        .flatMap(Optional::stream);
  }

  private static Optional<Happening> read(String line) {
    var json = line.indexOf('{');
    return json < 0 || !line.contains("\"message\"") ? plain(line) : json(line.substring(json));
  }

  private static Optional<Happening> json(String line) {
    try {
      var fields = JSON.readTree(line);
      var at = OffsetDateTime.parse(fields.path("timestamp").asText());
      return Optional.of(
          new Happening(
              at.toInstant(),
              "%s %s%s"
                  .formatted(
                      fields.path("level").asText(),
                      fields.path("message").asText(),
                      marks(fields.path("mdc")))));
    } catch (JsonProcessingException | DateTimeException _) {
      return Optional.empty();
    }
  }

  private static String marks(JsonNode mdc) {
    var marks = new StringBuilder();
    for (var name : new String[] {"turn", "fence", "sandbox", "request"}) {
      if (mdc.has(name)) {
        marks.append(marks.isEmpty() ? "  [" : ", ").append(name).append(' ');
        marks.append(mdc.path(name).asText());
      }
    }
    return marks.isEmpty() ? "" : marks.append(']').toString();
  }

  /// Written in the time zone of the machine it comes from, which is taken to be this one.
  private static Optional<Happening> plain(String line) {
    var parts = PLAIN.matcher(line);
    if (!parts.matches()) {
      return Optional.empty();
    }
    var at = LocalDateTime.parse(parts.group(1), PLAIN_TIME).atZone(ZoneId.systemDefault());
    return Optional.of(new Happening(at.toInstant(), parts.group(2) + " " + parts.group(3)));
  }
}
