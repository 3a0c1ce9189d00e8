package dev.gorkie.slack;

import dev.gorkie.attack.Attack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Whoever comes back from Slack's page with something else than we gave, or with what we gave to somebody else.
class ForgedConsentTest {

  private final Random random = new Random(Attack.seed());

  @Test
  void nobody_comes_in_with_a_word_that_was_guessed_or_given_to_another_browser_or_too_long_ago() {
    var now = new AtomicReference<>(Instant.ofEpochSecond(1_790_000_000));
    var consent =
        new Consent(
            SlackAtHand.settings(
                Map.of(
                    "gorkie.slack.client-id", "1.2", "gorkie.slack.signing-secret", "our secret")),
            now::get);
    var through = new ArrayList<String>();
    var cases = Attack.cases(2_000, 10_000);
    for (var times = 0; times < cases; times++) {
      var begun = consent.begin().orElseThrow();
      var state = begun.page().getQuery().replaceFirst(".*state=", "");
      var other = consent.begin().orElseThrow().secret();
      if (consent.agreed("code", state, begun.secret()).isEmpty()) {
        throw new AssertionError("Not taken: " + state);
      }
      var later = now.get();
      var taken =
          switch (random.nextInt(6)) {
            case 0 -> consent.agreed("code", state, other);
            case 1 -> consent.agreed("code", guessed(state), begun.secret());
            case 2 ->
                consent.agreed("code", state.replaceFirst("^[0-9]+", "9999999999"), begun.secret());
            case 3 -> consent.agreed("code", state, "");
            case 4 -> consent.agreed("code\"}", state, begun.secret());
            default -> {
              now.set(later.plus(Consent.LASTS).plus(Duration.ofSeconds(1)));
              yield consent.agreed("code", state, begun.secret());
            }
          };
      now.set(later);
      if (taken.isPresent()) {
        through.add(state);
      }
    }

    Attack.of("S12", "forged, stolen and old consents").withstood(cases, through);
  }

  private String guessed(String state) {
    var guess = new byte[32];
    random.nextBytes(guess);
    return state.replaceFirst("v0=.*", "v0=" + HexFormat.of().formatHex(guess));
  }
}
