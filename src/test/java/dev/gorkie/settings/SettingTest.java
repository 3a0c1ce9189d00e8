package dev.gorkie.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTest {

  @ParameterizedTest
  @CsvSource({
    "SLACK_BOT_TOKEN, xoxp-1234",
    "SLACK_SIGNING_SECRET, two words",
    "SLACK_API_URL, localhost/api",
    "DAYTONA_API_URL, ftp://app.daytona.io",
    "DATABASE_URL, mysql://a:b@c/d",
    "MODEL_BASE_URL, not a url",
    "DAYTONA_NETWORK, closed",
    "DAYTONA_NETWORK, 'open,github.com'",
    "DAYTONA_NETWORK, 'github.com,,x.y'",
    "DAYTONA_NETWORK, 10.0.0.0/33",
    "DAYTONA_NETWORK, 10.0.0.999",
    "DAYTONA_NETWORK, https://github.com",
    "DAYTONA_SECRET, a secret",
    "DAYTONA_SECRETS, their-github",
    "GORKIE_WEBHOOK_URL, hooks.example",
    "GORKIE_WEBHOOK_SECRET, short",
    "DAYTONA_SECRETS, PATH=our-github",
    "DAYTONA_SECRETS, GORKIE_MODEL_KEY=our-github",
    "DAYTONA_SECRETS, 'NPM_TOKEN=our-npm,'",
    "GORKIE_ENABLED, off",
    "GORKIE_LOG, xml",
    "GORKIE_DRAIN, soon",
    "GORKIE_DRAIN, 20",
    "SLACK_CLIENT_ID, A0123",
    "GORKIE_TOKEN_KEY, c2hvcnQ=",
    "GORKIE_TOKEN_KEY, not base64",
    "SLACK_APP_TOKEN, xoxb-1",
    "MODEL_SEES, 'one, two'",
    "GORKIE_PROGRAMS_ANSWERED, deployer",
    "GORKIE_PROGRAMS_ANSWERED, 'A012AB3CD,,B1'",
    "GORKIE_CHOICES_ADMINS, ada",
    "GORKIE_CHOICES_ADMINS, B012AB3CD",
    "GORKIE_CHOICES_STRANGERS, perhaps",
    "GORKIE_PROGRAMS_IN_A_ROW, 0",
    "GORKIE_TURNS_AT_ONCE, 0x10",
    "GORKIE_TURNS_WHILE_RUNNING, wait",
    "GORKIE_MODEL_RUN_LIMIT, forever",
    "GORKIE_MODEL_RUN_LIMIT, 0s",
    "GORKIE_MODEL_RUN_LIMITS, 7m",
    "GORKIE_MODEL_RUN_LIMITS, T9XY=",
    "GORKIE_MODEL_RUN_LIMITS, 'T9XY=7m,'"
  })
  void a_malformed_value_is_named_with_what_is_expected_and_never_shown(String name, String value) {
    var complaint = setting(name).complaint(Role.SERVER, Optional.of(value)).orElseThrow();

    assertTrue(complaint.startsWith(name + " is not what it should be. Expected: "), complaint);
    assertFalse(complaint.contains(value), complaint);
  }

  @ParameterizedTest
  @CsvSource({
    "SLACK_BOT_TOKEN, xoxb-1234",
    "SLACK_API_URL, http://127.0.0.1:4501/api/",
    "DATABASE_URL, postgresql://a:b@c/d?sslmode=require",
    "DATABASE_URL, jdbc:postgresql://c/d",
    "MODEL_ID, anthropic/claude",
    "DAYTONA_NETWORK, open",
    "DAYTONA_NETWORK, none",
    "DAYTONA_NETWORK, '*.github.com, openrouter.ai,10.1.2.3,10.2.0.0/16'",
    "DAYTONA_SECRET, gorkie-model-key",
    "DAYTONA_SECRETS, 'GITHUB_TOKEN=our-github,NPM_TOKEN=our_npm'",
    "GORKIE_ENABLED, false",
    "GORKIE_LOG, json",
    "GORKIE_DRAIN, 10s",
    "GORKIE_TURNS_WHILE_RUNNING, queue",
    "GORKIE_MODEL_RUN_LIMIT, 1440000ms",
    "GORKIE_MODEL_RUN_LIMITS, 'T012AB3CD=45m,E012AB3CD=1h'",
    "SLACK_CLIENT_ID, 123.456",
    "SLACK_APP_TOKEN, xapp-1-A012-34",
    "MODEL_SEES, 'one/model,other/model'",
    "GORKIE_PROGRAMS_ANSWERED, 'A012AB3CD,B012AB3CD,U012AB3CD'",
    "GORKIE_PROGRAMS_IN_AN_HOUR, 100",
    "GORKIE_API_RATE, 60",
    "GORKIE_CHOICES_ADMINS, 'U012AB3CD,W1X2'",
    "GORKIE_CHOICES_STRANGERS, true",
    "GORKIE_TOKEN_KEY,"
        + " 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=,MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='"
  })
  void a_good_value_is_not_complained_of(String name, String value) {
    assertEquals(Optional.empty(), setting(name).complaint(Role.SERVER, Optional.of(value)));
  }

  @Test
  void each_role_asks_only_for_what_it_needs() {
    assertEquals(List.of("SLACK_SIGNING_SECRET", "GORKIE_WORKER_FUNCTION"), asked(Role.INGRESS));
    assertEquals(
        List.of(
            "SLACK_BOT_TOKEN",
            "DAYTONA_API_KEY",
            "DAYTONA_SNAPSHOT",
            "DATABASE_URL",
            "MODEL_BASE_URL",
            "MODEL_ID",
            "MODEL_API_KEY",
            "GORKIE_WORKER_FUNCTION"),
        asked(Role.WORKER));
    assertEquals(
        List.of("DAYTONA_API_KEY", "DAYTONA_SNAPSHOT", "DATABASE_URL", "GORKIE_WORKER_FUNCTION"),
        asked(Role.API));
    assertEquals(
        List.of(
            "SLACK_SIGNING_SECRET",
            "SLACK_BOT_TOKEN",
            "DAYTONA_API_KEY",
            "DAYTONA_SNAPSHOT",
            "DATABASE_URL",
            "MODEL_BASE_URL",
            "MODEL_ID",
            "MODEL_API_KEY"),
        asked(Role.SERVER));
  }

  @Test
  void who_only_looks_into_a_thread_needs_nothing_but_the_tables() {
    assertEquals(List.of("DATABASE_URL"), asked(Role.TRACE));
  }

  private static List<String> asked(Role role) {
    return Setting.ALL.stream()
        .filter(setting -> setting.onlyWith().isEmpty())
        .filter(setting -> setting.complaint(role, Optional.empty()).isPresent())
        .map(Setting::name)
        .toList();
  }

  private static Setting setting(String name) {
    return Setting.ALL.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }
}
