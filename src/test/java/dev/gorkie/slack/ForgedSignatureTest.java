package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.attack.Attack;
import dev.gorkie.slack.SlackSignature.Verdict;
import java.text.Normalizer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Requests that Slack did not sign so, made of those that it did.
class ForgedSignatureTest {

  private static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
  private static final long NOW = 1_790_000_000L;
  private static final int BODY_BYTES_MAX = 2_000;

  private final Random random = new Random(Attack.seed());

  /// A request as it reaches us.
  private record Request(List<String> timestamps, List<String> signatures, byte[] body) {
    boolean isGenuine() {
      return SlackSignature.check(
              SECRET, timestamps, signatures, body, () -> Instant.ofEpochSecond(NOW))
          .isGenuine();
    }

    @Override
    public String toString() {
      return timestamps + " " + signatures + " " + new String(body, UTF_8);
    }
  }

  @Test
  void no_forged_request_is_genuine() {
    var through = new ArrayList<Request>();
    var cases = Attack.cases(10_000, 100_000);
    for (var times = 0; times < cases; times++) {
      var genuine = genuine(random.nextInt(-300, 301));
      if (!genuine.isGenuine()) {
        throw new AssertionError("Not taken for genuine: " + genuine);
      }
      var forged = forged(genuine);
      if (forged.isGenuine()) {
        through.add(forged);
      }
    }

    Attack.of("S1", "forged signatures").withstood(cases, through);
  }

  private Request genuine(int secondsOld) {
    var body = new byte[1 + random.nextInt(BODY_BYTES_MAX)];
    random.nextBytes(body);
    var text = new StringBuilder("{\"text\":\"Zo\u00eb ");
    for (var at = 0; at < body.length; at++) {
      text.append((char) ('a' + Math.floorMod(body[at], 26)));
    }
    var whole = text.append("\"}").toString().getBytes(UTF_8);
    var timestamp = Long.toString(NOW - secondsOld);
    return new Request(
        List.of(timestamp), List.of(SlackSignature.sign(SECRET, timestamp, whole)), whole);
  }

  private Request forged(Request it) {
    var timestamp = it.timestamps().getFirst();
    var signature = it.signatures().getFirst();
    var text = new String(it.body(), UTF_8);
    return switch (random.nextInt(16)) {
      case 0 -> new Request(it.timestamps(), it.signatures(), flipped(it.body()));
      case 1 ->
          new Request(
              it.timestamps(),
              List.of(new String(flipped(signature.getBytes(UTF_8)), UTF_8)),
              it.body());
      case 2 ->
          new Request(
              List.of(new String(flipped(timestamp.getBytes(UTF_8)), UTF_8)),
              it.signatures(),
              it.body());
      case 3 -> old(it, random.nextBoolean() ? 301 : -301);
      case 4 -> old(it, 301 + random.nextInt(1_000_000));
      case 5 ->
          new Request(
              it.timestamps(),
              List.of(signature.replaceFirst("v0", "v" + (1 + random.nextInt(9)))),
              it.body());
      case 6 -> new Request(it.timestamps(), List.of(signature, signature), it.body());
      case 7 -> new Request(List.of(timestamp, timestamp), it.signatures(), it.body());
      case 8 -> new Request(List.of(), it.signatures(), it.body());
      case 9 -> new Request(it.timestamps(), List.of(), it.body());
      case 10 ->
          new Request(
              it.timestamps(),
              it.signatures(),
              Normalizer.normalize(text, Normalizer.Form.NFD).getBytes(UTF_8));
      case 11 ->
          new Request(it.timestamps(), it.signatures(), Base64.getEncoder().encode(it.body()));
      case 12 ->
          new Request(
              it.timestamps(),
              it.signatures(),
              "%x\r\n%s\r\n0\r\n\r\n".formatted(it.body().length, text).getBytes(UTF_8));
      case 13 ->
          new Request(
              it.timestamps(),
              List.of("v0=" + signature.substring(3).toUpperCase(Locale.ROOT) + " "),
              it.body());
      case 14 ->
          new Request(
              List.of(Long.toString(Long.parseLong(timestamp) + (random.nextBoolean() ? 1 : -1))),
              it.signatures(),
              it.body());
      default ->
          new Request(
              it.timestamps(),
              List.of(SlackSignature.sign(SECRET + random.nextInt(10), timestamp, it.body())),
              it.body());
    };
  }

  /// Signed rightly, and at the wrong time.
  private static Request old(Request it, int seconds) {
    var timestamp = Long.toString(NOW - seconds);
    return new Request(
        List.of(timestamp), List.of(SlackSignature.sign(SECRET, timestamp, it.body())), it.body());
  }

  private byte[] flipped(byte[] bytes) {
    var flipped = bytes.clone();
    // Of the eighth bit of a letter nothing is left when it is written as text.
    flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(7));
    return flipped;
  }

  /// Measured as those do who look for a difference: two kinds of signatures by turns, the slowest tenth of each cut off, and
  /// how far apart their means are in terms of their own spread.
  @Test
  void how_much_of_a_signature_is_right_does_not_show_in_the_time_it_takes() {
    var samples = Attack.cases(4_000, 1_000_000);
    var genuine = genuine(0);
    var right = genuine.signatures().getFirst();
    var timings = new long[2][samples / 2];
    var verdicts = 0L;
    var signatures = new ArrayList<char[]>();
    for (var digits : new int[] {0, 63}) {
      // The first or the last of its digits is wrong.
      var at = 3 + digits;
      var wrong = right.charAt(at) == '0' ? '1' : '0';
      signatures.add((right.substring(0, at) + wrong + right.substring(at + 1)).toCharArray());
    }
    // In pairs whose order is left to chance: whatever comes at regular times meets both alike.
    var first = 0;
    for (var at = 0; at < samples; at++) {
      first = at % 2 == 0 ? random.nextInt(2) : 1 - first;
      var kind = first;
      // A new one each time: where one lies in memory shows in the time, too.
      var signature = List.of(String.valueOf(signatures.get(kind)));
      var begun = System.nanoTime();
      var verdict =
          SlackSignature.check(
              SECRET,
              genuine.timestamps(),
              signature,
              genuine.body(),
              () -> Instant.ofEpochSecond(NOW));
      timings[kind][at / 2] = System.nanoTime() - begun;
      verdicts += verdict == Verdict.FORGED ? 1 : 0;
    }
    assertEquals(samples, verdicts);

    var apart = Math.abs(apart(cut(timings[0]), cut(timings[1])));
    var through = apart < APART_MAX || !Attack.isWhole() ? List.of() : List.of("t = " + apart);
    assertTrue(Double.isFinite(apart));
    Attack.of("S1", "time that a forged signature takes")
        .withstood(samples, through, "t = %.2f".formatted(apart));
  }

  // The usual border in such measurements, doubled for a machine on which others work.
  private static final double APART_MAX = 10;

  private static long[] cut(long[] timings) {
    var sorted = timings.clone();
    Arrays.sort(sorted);
    return Arrays.copyOf(sorted, sorted.length * 9 / 10);
  }

  private static double apart(long[] one, long[] other) {
    var first = Arrays.stream(one).summaryStatistics().getAverage();
    var second = Arrays.stream(other).summaryStatistics().getAverage();
    return (first - second)
        / Math.sqrt(variance(one, first) / one.length + variance(other, second) / other.length);
  }

  private static double variance(long[] timings, double mean) {
    return Arrays.stream(timings).mapToDouble(it -> (it - mean) * (it - mean)).sum()
        / (timings.length - 1);
  }
}
