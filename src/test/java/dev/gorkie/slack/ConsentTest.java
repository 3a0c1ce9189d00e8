package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ConsentTest {

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final Consent consent = consent("secret");

  private Consent consent(String signingSecret) {
    var settings =
        SlackAtHand.settings(
            Map.of("gorkie.slack.client-id", "1.2", "gorkie.slack.signing-secret", signingSecret));
    return new Consent(settings, now::get);
  }

  private static String state(Consent.Begun begun) {
    return URLDecoder.decode(begun.page().getRawQuery().replaceAll(".*state=", ""), UTF_8);
  }

  @Test
  void who_comes_back_in_the_same_browser_and_in_time_has_agreed() {
    var begun = consent.begin().orElseThrow();
    now.set(now.get().plus(Consent.LASTS).minusSeconds(1));

    var delivery = consent.agreed("c0de", state(begun), begun.secret()).orElseThrow();

    assertEquals(new SlackEvent.Joining(new Membership.Agreed("c0de")), SlackEvent.read(delivery));
    assertTrue(begun.page().toString().startsWith("https://slack.com/oauth/v2/authorize?"));
  }

  @Test
  void another_browser_another_gorkie_and_who_took_too_long_have_not() {
    var begun = consent.begin().orElseThrow();
    var other = consent.begin().orElseThrow();

    assertEquals(Optional.empty(), consent.agreed("c", state(begun), other.secret()));
    assertEquals(Optional.empty(), consent.agreed("c", state(begun), ""));
    assertEquals(Optional.empty(), consent.agreed("c", "", begun.secret()));
    assertEquals(Optional.empty(), consent("another").agreed("c", state(begun), begun.secret()));
    now.set(now.get().plus(Consent.LASTS).plus(Duration.ofSeconds(2)));
    assertEquals(Optional.empty(), consent.agreed("c", state(begun), begun.secret()));
  }

  @Test
  void where_there_is_one_workspace_nobody_is_asked() {
    var settings = SlackAtHand.settings(Map.of("gorkie.slack.bot-token", "xoxb-1"));

    assertEquals(Optional.empty(), new Consent(settings, now::get).begin());
  }
}
