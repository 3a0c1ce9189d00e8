package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.local.slack.Fault;
import dev.gorkie.slack.People.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeopleTest {

  private final SlackAtHand slack = new SlackAtHand();
  private final People people = new People(slack.api, SlackAtHand.settings(Map.of()));
  private final String team = slack.workspace.teamId();

  @AfterEach
  void close() {
    slack.close();
  }

  @Test
  void a_person_has_a_name_and_it_is_asked_for_once() {
    var ada = slack.workspace.person("ada").id();

    assertEquals("ada", people.displayName(team, ada));
    assertEquals("ada", people.displayName(team, ada));

    assertEquals(1, slack.workspace.calls("users.info").size());
  }

  @Test
  void whoever_cannot_be_named_is_called_by_the_id_and_asked_for_again() {
    var ada = slack.workspace.person("ada").id();
    slack.workspace.fail("users.info", 1, new Fault.RateLimited(Duration.ofSeconds(30)));

    assertEquals(ada, people.displayName(team, ada));
    assertEquals("ada", people.displayName(team, ada));
    assertEquals("U0NOBODY0", people.displayName(team, "U0NOBODY0"));
  }

  @Test
  void while_Slack_does_not_tell_somebody_is_what_one_was() {
    var now = new AtomicReference<>(Instant.now());
    var known = new People(slack.api, SlackAtHand.settings(Map.of()), now::get);
    var ada = slack.workspace.person("ada").id();
    assertEquals(Optional.of(Kind.MEMBER), known.kind(team, ada));
    slack.workspace.closeAccount("ada");
    now.set(now.get().plus(Duration.ofMinutes(11)));

    slack.workspace.fail("users.info", 2, new Fault.RateLimited(Duration.ofSeconds(30)));
    assertEquals(Optional.of(Kind.MEMBER), known.kind(team, ada));
    assertEquals(Optional.empty(), known.kind(team, slack.workspace.person("grace").id()));

    assertEquals(Optional.of(Kind.GONE), known.kind(team, ada));
  }

  @Test
  void without_a_token_everybody_is_called_by_the_id() {
    var settings = SlackAtHand.settings(Map.of());
    var http = new SlackHttp(settings);
    var api = SlackAtHand.api(http, settings);

    assertEquals("U0ALICE00", new People(api, settings).displayName("T0AAAAAAA", "U0ALICE00"));

    http.close();
  }

  @Test
  void a_name_is_one_harmless_line() {
    var mallory = slack.workspace.addPerson("mal\n<!channel>", "Mallory").id();

    assertEquals("mal <\u200b!channel>", people.displayName(team, mallory));
  }
}
