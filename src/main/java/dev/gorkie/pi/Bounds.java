package dev.gorkie.pi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.time.Duration;
import java.util.regex.Pattern;

/// How far what comes out of a machine is believed: any code that runs there can have written it.
final class Bounds {

  /// Pi's records are five deep, and the keeper cuts what is deeper in a tool's arguments.
  static final int DEPTH_MAX = 64;

  // A number that a double can hold has fewer digits.
  static final int DIGITS_MAX = 400;
  // Ids that providers give to calls are some dozen characters, of some two joined together.
  private static final int ID_CHARACTERS_MAX = 512;
  private static final Pattern EXIT = Pattern.compile("-?[0-9]{1,9}");
  private static final Pattern SIGNAL = Pattern.compile("SIG[A-Z0-9]{1,12}");
  // As many as the widest column takes for the sum of a turn.
  private static final double DOLLARS_MAX = 999_999;

  /// For what a program there answers, which is a line now and then; records are read as `Json`.
  static final ObjectReader JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxNumberLength(DIGITS_MAX)
                          .build())
                  .build())
          .reader();

  private Bounds() {}

  /// Nothing counts backwards, and nothing beyond what there can be.
  static long count(long number, long most) {
    return Math.clamp(number, 0, most);
  }

  /// The sum of both; what is no amount of money adds nothing.
  static double plus(double dollars, double more) {
    return more > 0 ? Math.min(dollars + more, DOLLARS_MAX) : dollars;
  }

  static Duration millis(long number, Duration most) {
    return Duration.ofMillis(count(number, most.toMillis()));
  }

  static Duration seconds(long number, Duration most) {
    return Duration.ofSeconds(count(number, most.toSeconds()));
  }

  static String id(String id) {
    return id.substring(0, Math.min(id.length(), ID_CHARACTERS_MAX));
  }

  /// How a process ended, in words that may stand in a log.
  static String exit(Json signal, Json code) {
    if (signal.isText()) {
      return SIGNAL.matcher(signal.text()).matches() ? signal.text() : "a signal";
    }
    return EXIT.matcher(code.isText() ? "" : code.text()).matches()
        ? "exit code " + code.text()
        : "no exit code";
  }
}
