package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.attack.Attack;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// How much of a signature is right must not show in the time that its refusal takes.
///
/// Two signatures of one request, wrong in their first and in their last digit, are refused by turns, in an order left to
/// chance. What is so found for one request may come of where its parts lie in memory; what is the same for a hundred
/// requests comes of the comparison.
class ForgedSignatureTimeTest {

  private static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
  private static final InstantSource CLOCK = () -> Instant.ofEpochSecond(1_790_000_000L);
  private static final String TIMESTAMP = "1790000000";
  private static final String DIGITS = "0123456789abcdef";
  private static final int FIRST_DIGIT = "v0=".length();
  private static final int LAST_DIGIT = FIRST_DIGIT + 63;

  private static final int REQUESTS = 100;
  // The usual border of such measurements: chance crosses it once in some 50,000 of them.
  private static final double APART_MAX = 4.5;

  private final Random random = new Random(Attack.seed());

  private interface Comparison {
    boolean isGenuine(String signature, byte[] body);
  }

  @Test
  void how_much_of_a_signature_is_right_does_not_show_in_the_time_it_takes() {
    var samples = Attack.cases(4_000, 1_000_000);

    var ours = apart(samples, ForgedSignatureTimeTest::ours);
    var careless = apart(samples, ForgedSignatureTimeTest::digitByDigit);

    var through = new ArrayList<String>();
    // A build's sample tells nothing of times, and other work goes on beside it.
    if (Attack.isWhole()) {
      if (Math.abs(ours) > APART_MAX) {
        through.add("t = " + ours);
      }
      assertTrue(careless < -APART_MAX, "Nothing would be found: t = " + careless);
    }
    Attack.of("S1", "time that a forged signature takes")
        .withstood(
            samples, through, "t = %.2f, digit by digit it were %.2f".formatted(ours, careless));
  }

  @Test
  void a_difference_is_found_among_noise_of_its_own_size_and_noise_alone_is_none() {
    var noise = new Random(5);
    var alone = new double[REQUESTS];
    Arrays.setAll(alone, at -> 40 * noise.nextGaussian());
    var shifted = Arrays.stream(alone).map(it -> it + 40).toArray();

    assertTrue(Math.abs(apartOf(alone)) < APART_MAX);
    assertTrue(apartOf(shifted) > APART_MAX);
  }

  private static boolean ours(String signature, byte[] body) {
    return SlackSignature.check(SECRET, List.of(TIMESTAMP), List.of(signature), body, CLOCK)
        .isGenuine();
  }

  /// As it must not be done.
  private static boolean digitByDigit(String signature, byte[] body) {
    var expected = SlackSignature.sign(SECRET, TIMESTAMP, body);
    for (var at = 0; at < expected.length(); at++) {
      if (expected.charAt(at) != signature.charAt(at)) {
        return false;
      }
    }
    return true;
  }

  /// How much sooner a signature is refused that is wrong from its first digit on, as Student's t over all requests:
  /// below zero where it is.
  private double apart(int samples, Comparison comparison) {
    var apart = new double[REQUESTS];
    for (var at = 0; at < REQUESTS; at++) {
      apart[at] = difference(samples / REQUESTS / 2, comparison);
    }
    return apartOf(apart);
  }

  /// Of one request, in nanoseconds: the mean of all pairs but the tenth that others' work has drawn farthest apart.
  private double difference(int pairs, Comparison comparison) {
    var body = new byte[64];
    random.nextBytes(body);
    var right = SlackSignature.sign(SECRET, TIMESTAMP, body);
    var forged = List.of(wrongAt(FIRST_DIGIT, right), wrongAt(LAST_DIGIT, right));
    var differences = new long[pairs];
    for (var pair = 0; pair < pairs; pair++) {
      var took = new long[2];
      var first = random.nextInt(2);
      for (var kind : new int[] {first, 1 - first}) {
        // A new one each time: where one lies in memory shows in the time, too.
        var signature = String.valueOf(forged.get(kind));
        var begun = System.nanoTime();
        var isGenuine = comparison.isGenuine(signature, body);
        took[kind] = System.nanoTime() - begun;
        assertFalse(isGenuine);
      }
      differences[pair] = took[0] - took[1];
    }
    Arrays.sort(differences);
    var cut = pairs / 20;
    return Arrays.stream(differences, cut, pairs - cut).average().orElseThrow();
  }

  private char[] wrongAt(int place, String right) {
    var wrong = right.toCharArray();
    var digit = DIGITS.indexOf(wrong[place]);
    wrong[place] =
        DIGITS.charAt((digit + 1 + random.nextInt(DIGITS.length() - 1)) % DIGITS.length());
    return wrong;
  }

  private static double apartOf(double[] all) {
    var mean = Arrays.stream(all).average().orElseThrow();
    var squares = Arrays.stream(all).map(it -> (it - mean) * (it - mean)).sum();
    return mean / Math.sqrt(squares / (all.length - 1) / all.length);
  }
}
