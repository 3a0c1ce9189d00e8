package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Failure;
import dev.gorkie.RealDatabase;
import dev.gorkie.aws.AwsJson;
import dev.gorkie.aws.AwsSignature;
import dev.gorkie.aws.KeyService;
import dev.gorkie.database.Database;
import dev.gorkie.local.aws.Credentials;
import dev.gorkie.local.aws.LocalAws;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.LocalSlack;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class InstallationsTest {

  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
  private static final String ACCESS = "oauth.v2.access";
  private static final String REGION = "eu-central-1";
  private static final Credentials CREDENTIALS =
      new Credentials("AKIDLOCAL", "a secret key", Optional.empty());

  @Inject Tables tables;
  @Inject Database database;
  @Inject InstallationRows rows;

  private SlackAtHand slack;
  private LocalSlack one;
  private LocalSlack other;
  private SlackSettings settings;
  private SlackHttp http;
  private LocalAws aws;
  private KeyService keys;
  private Installations installations;

  @BeforeEach
  void open() {
    slack = new SlackAtHand();
    one = slack.workspace;
    other = one.beside("T0OTHERTEAM", "Other");
    settings = settings(KEY);
    http = new SlackHttp(settings);
    aws = LocalAws.start(new LocalAws.Settings(0, REGION, CREDENTIALS, 1));
    keys =
        new KeyService(
            new AwsJson(
                aws.url(),
                new AwsSignature("AKIDLOCAL", "a secret key", Optional.empty(), REGION, "kms"),
                "application/x-amz-json-1.1",
                InstantSource.system()));
    installations = installations();
    tables.change("delete from installations");
    tables.change("delete from org_workspaces");
  }

  @AfterEach
  void close() {
    http.close();
    aws.close();
    slack.close();
  }

  private SlackSettings settings(String... tokenKeys) {
    return SlackAtHand.settings(
        Map.of(
            "gorkie.slack.api-url",
            one.url() + "api/",
            "gorkie.slack.client-id",
            LocalSlack.client().get("id"),
            "gorkie.slack.client-secret",
            LocalSlack.client().get("secret"),
            "gorkie.slack.signing-secret",
            "local-signing-secret",
            "gorkie.slack.token-keys",
            String.join(",", tokenKeys)));
  }

  /// As another worker has them.
  private Installations installations() {
    return installations(settings);
  }

  private Installations installations(SlackSettings theirs) {
    return new Installations(database, rows, http, theirs, keys);
  }

  private static Map<String, String> query(URI address) {
    var fields = new HashMap<String, String>();
    for (var field : address.getRawQuery().split("&")) {
      var parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    return fields;
  }

  private void install(LocalSlack workspace) throws InterruptedException {
    join(workspace.agree(asked()));
  }

  private Map<String, String> asked() {
    return query(new Consent(settings).begin().orElseThrow().page());
  }

  private void join(URI back) throws InterruptedException {
    installations.join(new Membership.Agreed(query(back).getOrDefault("code", "")));
  }

  private void post(String team, String text) {
    var general = one.channel("general").id();
    var form =
        Map.of("channel", general, "text", text, "unfurl_links", "false", "unfurl_media", "false");
    new SlackApi(http, installations, settings)
        .call(team, "chat.postMessage", form, Wire.Posted.class);
  }

  private static List<String> said(LocalSlack workspace) {
    return workspace.threads("general").stream()
        .flatMap(thread -> thread.byApp().stream())
        .map(message -> message.text())
        .toList();
  }

  // Two workspaces

  @Test
  void what_is_said_in_one_workspace_is_said_there_though_another_has_the_same_ids()
      throws InterruptedException {
    install(one);
    install(other);
    assertEquals(one.channel("general").id(), other.channel("general").id());

    post(one.teamId(), "For the first");
    post(other.teamId(), "For the other");

    assertEquals(List.of("For the first"), said(one));
    assertEquals(List.of("For the other"), said(other));
  }

  @Test
  void nothing_is_said_for_a_workspace_that_has_not_let_us_in() throws InterruptedException {
    install(one);

    post(other.teamId(), "For nobody");

    assertFalse(installations.isIn(other.teamId()));
    assertEquals(List.of(), said(one));
    assertEquals(List.of(), said(other));
  }

  @Test
  void whoever_lets_us_in_is_told_so_in_slack() throws InterruptedException {
    install(other);

    var welcome = other.threads("@ada").getFirst().byApp().getFirst().text();
    assertTrue(welcome.contains("!help"), welcome);
  }

  @Test
  void a_token_is_not_to_be_read_in_the_table_nor_moved_to_another_workspace()
      throws InterruptedException {
    install(one);
    install(other);
    var token = installations.of(one.teamId()).orElseThrow();

    var row = database.transaction(() -> rows.find(one.teamId())).orElseThrow();
    tables.change(
        "update installations set token = (select token from installations where place = '%s') where place = '%s'"
            .formatted(one.teamId(), other.teamId()));

    assertFalse(row.held().token().contains(token));
    assertEquals("NOT_CONFIGURED", refusal(() -> installations().of(other.teamId())));
  }

  private static String refusal(Callable<Object> call) {
    try {
      return String.valueOf(call.call());
    } catch (Failure failure) {
      return failure.code().name();
    } catch (Exception e) {
      return e.toString();
    }
  }

  // Keys

  @Test
  void a_key_is_changed_for_the_next_while_everybody_works() throws Exception {
    one.rotateTokens(Duration.ofHours(12));
    install(one);
    install(other);
    var token = installations.of(one.teamId());
    var next =
        Base64.getEncoder().encodeToString("another key of thirty-two bytes.".getBytes(UTF_8));

    var before = installations(settings(KEY, next));
    var both = installations(settings(next, KEY));
    assertEquals(token, both.of(one.teamId()));
    assertEquals(0, both.sealAnew());

    assertEquals(token, before.of(one.teamId()));
    assertEquals(token, installations(settings(next)).of(one.teamId()));
    assertTrue(installations(settings(next)).isIn(other.teamId()));
    assertEquals("NOT_CONFIGURED", refusal(() -> installations(settings(KEY)).of(one.teamId())));
  }

  @Test
  void what_no_key_of_ours_opens_stays_as_it_is() throws Exception {
    install(one);
    var token = installations.of(one.teamId());
    var next =
        Base64.getEncoder().encodeToString("another key of thirty-two bytes.".getBytes(UTF_8));

    assertEquals(1, installations(settings(next)).sealAnew());

    assertEquals(token, installations().of(one.teamId()));
  }

  @Test
  void a_key_that_aws_has_sealed_is_opened_there_once() throws Exception {
    var sealed = "kms:" + aws.keys().dataKey(JsonObject.of("gorkie", "token-key"));
    install(one);
    var token = installations.of(one.teamId());
    aws.keys().throttle(1);

    var theirs = installations(settings(sealed, KEY));
    assertEquals(0, theirs.sealAnew());
    var asked = aws.keys().asked();

    assertEquals(token, theirs.of(one.teamId()));
    assertEquals(asked, aws.keys().asked());
    assertEquals(token, installations(settings(sealed)).of(one.teamId()));
    assertEquals("NOT_CONFIGURED", refusal(() -> installations().of(one.teamId())));
  }

  @Test
  void a_key_that_was_sealed_for_something_else_does_not_open() throws Exception {
    var sealed = "kms:" + aws.keys().dataKey(JsonObject.of("gorkie", "something-else"));
    var theirs = installations(settings(sealed));

    assertEquals(
        "NOT_CONFIGURED",
        refusal(
            () -> {
              theirs.join(
                  new Membership.Agreed(query(one.agree(asked())).getOrDefault("code", "")));
              return "joined";
            }));
  }

  // Tokens that do not last

  @Test
  void many_workers_change_a_token_into_the_next_once() throws Exception {
    one.rotateTokens(Duration.ofHours(12));
    install(one);
    var first = installations.of(one.teamId()).orElseThrow();
    hoursPass(11);

    var tokens = new HashSet<String>();
    var looks = new ArrayList<Callable<Optional<String>>>();
    for (var worker = 0; worker < 8; worker++) {
      var theirs = installations();
      looks.add(() -> theirs.of(one.teamId()));
    }
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var look : workers.invokeAll(looks)) {
        tokens.add(look.get().orElseThrow());
      }
    }

    var last = installations().of(one.teamId()).orElseThrow();
    assertNotEquals(first, last);
    tokens.remove(first);
    tokens.remove(last);
    assertEquals(new HashSet<String>(), tokens);
    // One for the consent, one for the next token.
    assertEquals(2, one.calls(ACCESS).size());
    assertTrue(one.calls(ACCESS).stream().allMatch(call -> call.ok()));
  }

  @Test
  void a_token_that_could_not_be_changed_is_used_while_it_lasts() throws Exception {
    one.rotateTokens(Duration.ofHours(12));
    install(one);
    var token = installations.of(one.teamId()).orElseThrow();
    hoursPass(11);
    one.fail(ACCESS, 1, new Fault.NeverArrived());

    assertEquals(Optional.of(token), installations().of(one.teamId()));
    tables.change(
        "update installations set renewing_until = clock_timestamp() - interval '1 second'");

    assertNotEquals(Optional.of(token), installations().of(one.teamId()));
  }

  private void hoursPass(int hours) {
    tables.change(
        "update installations set expires_at = expires_at - interval '%d hours'".formatted(hours));
  }

  // Out again

  @Test
  void who_throws_us_out_is_forgotten_and_who_lets_us_in_again_is_not() throws Exception {
    install(one);
    var before = Instant.now().minusSeconds(60);

    installations.leave(new Membership.Ended(one.teamId(), before));
    assertTrue(installations.isIn(one.teamId()));

    installations.leave(new Membership.Ended(one.teamId(), Instant.now().plusSeconds(1)));
    assertFalse(installations.isIn(one.teamId()));
  }

  @Test
  void slack_tells_us_that_we_are_thrown_out() throws Exception {
    one.throwOut();
    var deliveries = one.awaitDeliveries(all -> all.size() > 1, SlackAtHand.SOON);

    for (var delivery : deliveries) {
      if (!delivery.type().startsWith("app_mention") && !delivery.type().equals("message")) {
        var read = SlackEvent.read(delivery.body().encode().getBytes(UTF_8));
        var ended =
            assertInstanceOf(
                Membership.Ended.class, assertInstanceOf(SlackEvent.Joining.class, read).change());
        assertEquals(one.teamId(), ended.place());
      }
    }
  }

  @Test
  void a_token_that_slack_does_not_take_any_more_is_looked_up_anew() throws Exception {
    install(other);
    post(other.teamId(), "Once");
    other.throwOut();
    post(other.teamId(), "Into the void");

    install(other);
    post(other.teamId(), "Again");

    assertEquals(List.of("Once", "Again"), said(other));
  }

  // An organisation

  @Test
  void an_organisation_lets_us_into_all_its_workspaces() throws Exception {
    join(other.agreeForAll(asked(), "E0ORG"));
    assertFalse(installations.isIn(other.teamId()));

    installations.heard(
        """
        {"type":"event_callback","team_id":"T0OTHERTEAM","api_app_id":"A1","event_id":"Ev1","event":{"type":"message"},
         "authorizations":[{"enterprise_id":"E0ORG","team_id":"T0OTHERTEAM","is_enterprise_install":true}]}
        """
            .getBytes(UTF_8));

    assertTrue(installations.isIn(other.teamId()));
    assertEquals(installations.of("E0ORG"), installations.of(other.teamId()));
  }
}
