package dev.gorkie.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.attack.Attack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Who may say that a job is over.
class JobTokensTest {

  private static final Instant EXPIRES = Instant.ofEpochSecond(1_800_000_000);

  private final AtomicReference<Instant> now = new AtomicReference<>(EXPIRES);
  private final JobTokens tokens = new JobTokens(Optional.of("signing secret"), now::get);
  private final String token = tokens.of("job-mine", EXPIRES).orElseThrow();

  @Test
  void a_token_fits_its_own_job_to_its_last_second() {
    assertTrue(tokens.fits("job-mine", token));
    now.set(EXPIRES.plusSeconds(1));
    assertFalse(tokens.fits("job-mine", token));
  }

  @Test
  void a_token_fits_no_other_job_and_no_other_time() {
    assertFalse(tokens.fits("job-mine2", token));
    assertFalse(tokens.fits("job-min", token));
    assertFalse(tokens.fits("", token));
    assertFalse(tokens.fits("job-mine", token.replaceFirst("^18", "19")));
  }

  @Test
  void whatever_is_changed_in_a_token_it_is_none_any_more() {
    for (var at = 0; at < token.length(); at++) {
      var other = token.charAt(at) == '0' ? '1' : '0';
      var changed = token.substring(0, at) + other + token.substring(at + 1);
      assertFalse(tokens.fits("job-mine", changed), changed);
      assertFalse(tokens.fits("job-mine", token.substring(0, at)), token.substring(0, at));
    }
    assertFalse(tokens.fits("job-mine", token + "0"));
  }

  @Test
  void whoever_guesses_mixes_and_replays_says_of_no_other_job_that_it_is_over() {
    var random = new Random(Attack.seed());
    var through = new ArrayList<String>();
    var cases = Attack.cases(2_000, 10_000);
    for (var number = 0; number < cases; number++) {
      var mine = tokens.of("job-" + number, EXPIRES).orElseThrow();
      var other = tokens.of("job-" + (number + 1), EXPIRES.plusSeconds(number + 1)).orElseThrow();
      var cut = 1 + random.nextInt(Math.min(mine.length(), other.length()) - 1);
      var tried =
          switch (random.nextInt(4)) {
            case 0 -> other;
            case 1 -> mine.substring(0, cut) + other.substring(cut);
            case 2 -> other.substring(0, cut) + mine.substring(cut);
            default ->
                EXPIRES.getEpochSecond() + "." + HexFormat.of().toHexDigits(random.nextLong());
          };
      if (!tried.equals(mine) && tokens.fits("job-" + number, tried)) {
        through.add(tried + " for job-" + number);
      }
    }

    Attack.of("S12", "guessed and mixed tokens of jobs").withstood(cases, through);
  }

  @Test
  void who_knows_another_secret_or_none_makes_no_token() {
    var others = new JobTokens(Optional.of("signing secret 2"), now::get);
    var nobodys = new JobTokens(Optional.empty(), now::get);

    assertFalse(others.fits("job-mine", token));
    assertFalse(nobodys.fits("job-mine", token));
    assertEquals(Optional.empty(), nobodys.of("job-mine", EXPIRES));
    assertEquals(
        Optional.empty(), new JobTokens(Optional.of(" "), now::get).of("job-mine", EXPIRES));
  }
}
