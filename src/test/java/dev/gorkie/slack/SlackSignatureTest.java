package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.gorkie.slack.SlackSignature.Verdict;
import java.text.Normalizer;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlackSignatureTest {

  private static final String SECRET = "a secret of ours";
  private static final long NOW = 1_790_000_000L;
  private static final String TIMESTAMP = Long.toString(NOW);
  private static final byte[] BODY = "{\"text\":\"Zo\u00eb \ud83d\ude00\"}".getBytes(UTF_8);

  @Test
  void the_example_that_Slack_publishes_is_genuine() {
    var body =
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
            + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
            + "%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

    var verdict =
        SlackSignature.check(
            "8f742231b10e8888abcd99yyyzzz85a5",
            List.of("1531420618"),
            List.of("v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"),
            body.getBytes(UTF_8),
            () -> Instant.ofEpochSecond(1531420618));

    assertEquals(Verdict.GENUINE, verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "-301, FROM_THE_FUTURE",
    "-300, GENUINE",
    "-299, GENUINE",
    "0, GENUINE",
    "299, GENUINE",
    "300, GENUINE",
    "301, TOO_OLD"
  })
  void a_request_may_be_five_minutes_off_and_no_second_more(int secondsOld, Verdict expected) {
    var timestamp = Long.toString(NOW - secondsOld);

    assertEquals(expected, check(timestamp, SlackSignature.sign(SECRET, timestamp, BODY), BODY));
  }

  @Test
  void no_flipped_bit_in_body_or_signature_is_accepted() {
    var signature = SlackSignature.sign(SECRET, TIMESTAMP, BODY);
    for (var bit = 0; bit < BODY.length * 8; bit++) {
      var body = BODY.clone();
      body[bit / 8] ^= (byte) (1 << bit % 8);
      assertEquals(Verdict.FORGED, check(TIMESTAMP, signature, body));
    }
    var letters = signature.toCharArray();
    for (var bit = 0; bit < letters.length * 7; bit++) {
      var flipped = letters.clone();
      flipped[bit / 7] ^= (char) (1 << bit % 7);
      assertFalse(check(TIMESTAMP, new String(flipped), BODY).isGenuine());
    }
  }

  @Test
  void a_signature_holds_for_its_own_timestamp_only() {
    var signature = SlackSignature.sign(SECRET, TIMESTAMP, BODY);

    assertEquals(Verdict.FORGED, check(Long.toString(NOW - 1), signature, BODY));
    assertEquals(Verdict.FORGED, check("0" + TIMESTAMP, signature, BODY));
  }

  @Test
  void the_same_text_in_other_bytes_is_forged() {
    var signature = SlackSignature.sign(SECRET, TIMESTAMP, BODY);
    var decomposed = Normalizer.normalize(new String(BODY, UTF_8), Normalizer.Form.NFD);

    assertEquals(Verdict.FORGED, check(TIMESTAMP, signature, decomposed.getBytes(UTF_8)));
    assertEquals(
        Verdict.FORGED,
        check(TIMESTAMP, signature, (new String(BODY, UTF_8) + "\n").getBytes(UTF_8)));
  }

  @Test
  void chance_signs_nothing() {
    var random = new Random(7);
    for (var i = 0; i < 5_000; i++) {
      var body = new byte[random.nextInt(64)];
      random.nextBytes(body);
      var signature =
          "v0=%016x%016x%016x%016x"
              .formatted(
                  random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
      assertEquals(Verdict.FORGED, check(TIMESTAMP, signature, body));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "now",
        "-1",
        "+1790000000",
        "1790000000.0",
        "1790000000 ",
        "١٧٩٠٠٠٠٠٠٠",
        "999999999999"
      })
  void a_garbled_timestamp_is_refused(String timestamp) {
    var signature = SlackSignature.sign(SECRET, timestamp, BODY);

    assertEquals(Verdict.TIMESTAMP_GARBLED, check(timestamp, signature, BODY));
  }

  @Test
  void a_garbled_signature_is_refused() {
    var signature = SlackSignature.sign(SECRET, TIMESTAMP, BODY);
    var hex = signature.substring(3);
    for (var garbled :
        List.of(
            "",
            "v0=",
            hex,
            "v1=" + hex,
            "V0=" + hex,
            "v0=" + hex + "0",
            "v0=" + hex.substring(1),
            " " + signature,
            signature + "," + signature,
            "v0=" + hex.toUpperCase(Locale.ROOT).replace('0', 'A'))) {
      assertEquals(Verdict.SIGNATURE_GARBLED, check(TIMESTAMP, garbled, BODY), garbled);
    }
  }

  @Test
  void each_header_must_be_there_once() {
    var signature = SlackSignature.sign(SECRET, TIMESTAMP, BODY);
    var once = List.of(TIMESTAMP);

    assertEquals(Verdict.TIMESTAMP_NOT_THERE_ONCE, check(List.of(), List.of(signature)));
    assertEquals(
        Verdict.TIMESTAMP_NOT_THERE_ONCE, check(List.of(TIMESTAMP, TIMESTAMP), List.of(signature)));
    assertEquals(Verdict.SIGNATURE_NOT_THERE_ONCE, check(once, List.of()));
    assertEquals(Verdict.SIGNATURE_NOT_THERE_ONCE, check(once, List.of(signature, signature)));
  }

  @Test
  void without_a_secret_nothing_is_genuine() {
    var verdict =
        SlackSignature.check(
            "",
            List.of(TIMESTAMP),
            List.of("v0=" + "0".repeat(64)),
            BODY,
            () -> Instant.ofEpochSecond(NOW));

    assertEquals(Verdict.NO_SECRET_CONFIGURED, verdict);
  }

  @Test
  void another_secret_makes_another_signature() {
    assertNotEquals(
        SlackSignature.sign(SECRET, TIMESTAMP, BODY),
        SlackSignature.sign(SECRET + "s", TIMESTAMP, BODY));
  }

  private static Verdict check(String timestamp, String signature, byte[] body) {
    return SlackSignature.check(
        SECRET, List.of(timestamp), List.of(signature), body, () -> Instant.ofEpochSecond(NOW));
  }

  private static Verdict check(List<String> timestamps, List<String> signatures) {
    return SlackSignature.check(
        SECRET, timestamps, signatures, BODY, () -> Instant.ofEpochSecond(NOW));
  }
}
