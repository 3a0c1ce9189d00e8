package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.attack.Attack;
import java.text.Normalizer;
import java.time.Instant;
import java.util.ArrayList;
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
}
