package dev.gorkie.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.database.DatabaseSettings;
import dev.gorkie.local.aws.Credentials;
import dev.gorkie.local.aws.LocalAws;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Secrets that are named in the environment and lie in AWS's parameter store.
class SecretsTest {

  private static final Credentials CREDENTIALS =
      new Credentials("AKIDLOCAL", "a secret key", Optional.of("a session token"));
  // As many as stand above those that application.properties and the environment have.
  private static final int ENVIRONMENT = 300;

  private static final AtomicInteger PATHS = new AtomicInteger();
  private static LocalAws aws;

  // What a process has read it keeps, so that no two tests name the same.
  private final String path = "/gorkie-" + PATHS.incrementAndGet() + "/";

  @BeforeAll
  static void start() {
    aws = LocalAws.start(new LocalAws.Settings(0, "eu-central-1", CREDENTIALS, 1));
  }

  @AfterAll
  static void end() {
    aws.close();
  }

  @Test
  void what_is_named_is_put_in_and_all_else_stays_as_it_is() {
    aws.parameters().put(path + "token", "xoxb-secret");
    aws.parameters().put(path + "key", "dtn_secret");

    var environment =
        Secrets.putInto(
            at(
                Map.of(
                    "SLACK_BOT_TOKEN", "ssm:" + path + "token",
                    "DAYTONA_API_KEY", "ssm:" + path + "key",
                    "MODEL_ID", "some/model")));

    assertEquals(Optional.of("xoxb-secret"), environment.apply("SLACK_BOT_TOKEN"));
    assertEquals(Optional.of("dtn_secret"), environment.apply("DAYTONA_API_KEY"));
    assertEquals(Optional.of("some/model"), environment.apply("MODEL_ID"));
    assertEquals(Optional.empty(), environment.apply("MODEL_API_KEY"));
  }

  @Test
  void a_process_asks_once_for_all_of_them() {
    aws.parameters().put(path + "token", "xoxb-secret");
    aws.parameters().put(path + "key", "dtn_secret");
    var named =
        at(
            Map.of(
                "SLACK_BOT_TOKEN",
                "ssm:" + path + "token",
                "DAYTONA_API_KEY",
                "ssm:" + path + "key"));
    var before = aws.parameters().asked();

    Secrets.putInto(named);
    Secrets.putInto(named);

    assertEquals(before + 1, aws.parameters().asked());
  }

  @Test
  void who_is_told_to_slow_down_asks_again() {
    aws.parameters().put(path + "token", "xoxb-secret");
    aws.parameters().throttle(3);

    var environment = Secrets.putInto(at(Map.of("SLACK_BOT_TOKEN", "ssm:" + path + "token")));

    assertEquals(Optional.of("xoxb-secret"), environment.apply("SLACK_BOT_TOKEN"));
  }

  @Test
  void one_that_is_not_there_or_may_not_be_read_is_named_in_a_sentence() {
    aws.parameters().put(path + "there", "hush");
    var missing =
        at(Map.of("SLACK_BOT_TOKEN", "ssm:" + path + "gone", "MODEL_ID", "ssm:" + path + "there"));
    var forbidden =
        at(
            Map.of(
                "SLACK_BOT_TOKEN",
                "ssm:" + path + "other",
                "AWS_SECRET_ACCESS_KEY",
                "not the key"));

    var said =
        String.valueOf(
            assertThrows(Secrets.Unreadable.class, () -> Secrets.putInto(missing)).getMessage());
    var refused =
        String.valueOf(
            assertThrows(Secrets.Unreadable.class, () -> Secrets.putInto(forbidden)).getMessage());

    assertTrue(said.startsWith("AWS's parameter store in eu-central-1 has no " + path + "gone. "));
    assertFalse(said.contains("hush") || said.contains("there,"), said);
    assertTrue(refused.contains(" InvalidSignatureException. "), refused);
    assertTrue(refused.contains("ssm:GetParameters for " + path + "other"), refused);
  }

  @Test
  void the_programs_configuration_has_them_and_takes_the_database_apart() {
    aws.parameters().put(path + "database", "postgresql://ada:pass@db.example/gorkie");
    aws.parameters().put(path + "token", "xoxb-secret");
    var environment = new HashMap<>(surroundings());
    environment.put("DATABASE_URL", "ssm:" + path + "database");
    environment.put("SLACK_BOT_TOKEN", "ssm:" + path + "token");

    var config =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withSources(new PropertiesConfigSource(environment, "environment", ENVIRONMENT))
            .withSources(new DatabaseSettings(), new SecretSettings())
            .withDefaultValue("gorkie.slack.bot-token", "${SLACK_BOT_TOKEN:}")
            .build();

    assertEquals("xoxb-secret", config.getRawValue("SLACK_BOT_TOKEN"));
    assertEquals("xoxb-secret", config.getValue("gorkie.slack.bot-token", String.class));
    assertEquals("ada", config.getValue("quarkus.datasource.username", String.class));
    assertEquals(
        "jdbc:postgresql://db.example/gorkie?prepareThreshold=0",
        config.getValue("quarkus.datasource.jdbc.url", String.class));
  }

  private static Function<String, Optional<String>> at(Map<String, String> changed) {
    var all = new HashMap<>(surroundings());
    all.putAll(changed);
    return name -> Optional.ofNullable(all.get(name));
  }

  private static Map<String, String> surroundings() {
    var all = new HashMap<>(CREDENTIALS.environment());
    all.put("AWS_REGION", "eu-central-1");
    all.put("AWS_ENDPOINT_URL_SSM", aws.url().toString());
    return all;
  }
}
