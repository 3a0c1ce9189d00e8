package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The wires, with functions that are pieces of the test.
class LocalAwsTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  // Two minutes become 12 ms.
  private static final double HURRY = 10_000;

  private final Credentials credentials =
      new Credentials("AKIDLOCAL", "a secret key", Optional.of("a session token"));
  private final LocalAws aws =
      LocalAws.start(new LocalAws.Settings(0, "eu-central-1", credentials, HURRY));
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final SignedCaller caller =
      new SignedCaller(aws.url(), credentials, "eu-central-1", http);

  @AfterEach
  void close() {
    http.shutdownNow();
    aws.close();
  }

  @Test
  void an_event_is_accepted_and_handled_later() throws Exception {
    var worker = deploy("worker", (_, payload) -> payload);

    var response = caller.invoke("worker", "Event", "{\"say\":\"hello\"}");

    assertEquals(202, response.statusCode());
    var attempt = worker.awaitAttempts(1, _ -> true, SOON).getFirst();
    assertEquals("{\"say\":\"hello\"}", attempt.payload());
    assertTrue(attempt.outcome().isSuccess());
    assertEquals(List.of(new Invoked("worker", true, "{\"say\":\"hello\"}")), aws.invoked());
  }

  @Test
  void an_event_that_was_refused_is_not_among_the_accepted() {
    deploy("worker", (_, payload) -> payload);
    aws.fail(new Fault.Refused(503));

    caller.invoke("worker", "Event", "1");
    caller.invoke("worker", "Event", "2");

    assertEquals(List.of("1", "2"), aws.invoked().stream().map(Invoked::payload).toList());
    assertEquals(List.of("2"), aws.accepted().stream().map(it -> it.what().payload()).toList());
  }

  @Test
  void a_request_waits_for_its_answer() {
    deploy("api", (_, payload) -> "[" + payload + "]");

    var arn = "arn:aws:lambda:eu-central-1:000000000000:function:api";
    assertEquals("[1]", caller.invoke("api", "RequestResponse", "1").body());
    assertEquals("[2]", caller.invoke(arn, "RequestResponse", "2").body());
    assertEquals("[3]", caller.invoke("api:live", "RequestResponse", "3").body());
  }

  @Test
  void a_failed_request_says_so_in_a_header() {
    deploy(
        "api",
        (_, _) -> {
          throw new IllegalStateException("no");
        });

    var response = caller.invoke("api", "RequestResponse", "{}");

    assertEquals(200, response.statusCode());
    assertEquals(Optional.of("Unhandled"), response.headers().firstValue("x-amz-function-error"));
    assertEquals("no", new JsonObject(response.body()).getString("errorMessage"));
  }

  @Test
  void an_event_is_tried_three_times_and_then_goes_to_the_failure_queue() throws Exception {
    var mended = new AtomicInteger();
    var worker =
        deploy(
            "worker",
            (_, payload) -> {
              if (mended.get() == 0) {
                throw new IllegalStateException("broken");
              }
              return payload;
            });

    caller.invoke("worker", "Event", "{\"n\":1}");
    var failure = worker.failures().await("RetriesExhausted", SOON);
    mended.set(1);

    assertEquals(List.of(1, 2, 3), worker.attempts().stream().map(Attempt::number).toList());
    assertEquals(1, worker.attempts().stream().map(Attempt::requestId).distinct().count());
    assertEquals(JsonObject.of("n", 1), failure.getJsonObject("requestPayload"));
    assertEquals(1, worker.failures().redrive());
    worker.awaitAttempts(1, attempt -> attempt.outcome().isSuccess(), SOON);
    assertEquals(List.of(), worker.failures().waiting());
  }

  @Test
  void an_event_that_finds_no_instance_in_its_age_is_given_up() throws Exception {
    var release = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    var worker =
        aws.deploy(
            FunctionSettings.of(
                    "worker",
                    new Code.Here(
                        (_, payload) -> {
                          begun.countDown();
                          release.await();
                          return payload;
                        }))
                .concurrency(1)
                .age(Duration.ofMinutes(1)));
    // Whoever waits for it is of no age.
    var first = new FutureTask<>(() -> caller.invoke("worker", "RequestResponse", "1"));
    Thread.ofVirtual().start(first);
    begun.await();

    assertEquals(429, caller.invoke("worker", "RequestResponse", "2").statusCode());
    caller.invoke("worker", "Event", "3");

    assertEquals(3, worker.failures().await("EventAgeExceeded", SOON).getInteger("requestPayload"));
    release.countDown();
    assertEquals("1", first.get().body());
  }

  @Test
  void invokes_go_wrong_in_the_ways_a_test_asks_for() throws Exception {
    var worker = deploy("worker", (_, payload) -> payload);
    aws.fail(
        new Fault.Refused(503),
        new Fault.Refused(429),
        new Fault.Doubled(),
        new Fault.AnswerLost());

    assertEquals(503, caller.invoke("worker", "Event", "1").statusCode());
    assertEquals(429, caller.invoke("worker", "Event", "2").statusCode());
    assertEquals(202, caller.invoke("worker", "Event", "3").statusCode());
    assertThrows(UncheckedIOException.class, () -> caller.invoke("worker", "Event", "4"));
    assertEquals(202, caller.invoke("worker", "Event", "5").statusCode());

    worker.awaitAttempts(2, attempt -> attempt.payload().equals("3"), SOON);
    worker.awaitAttempts(1, attempt -> attempt.payload().equals("4"), SOON);
    worker.awaitAttempts(1, attempt -> attempt.payload().equals("5"), SOON);
    assertTrue(worker.attempts().stream().noneMatch(attempt -> "12".contains(attempt.payload())));
  }

  @Test
  void as_many_run_at_once_as_the_concurrency_allows() throws Exception {
    var together = new CountDownLatch(3);
    var worker =
        aws.deploy(
            FunctionSettings.of(
                    "worker",
                    new Code.Here(
                        (_, payload) -> {
                          together.countDown();
                          together.await();
                          return payload;
                        }))
                .concurrency(3));

    for (var n = 0; n < 3; n++) {
      caller.invoke("worker", "Event", "1");
    }

    var attempts = worker.awaitAttempts(3, _ -> true, SOON);
    assertEquals(3, attempts.stream().map(Attempt::instance).distinct().count());
  }

  @Test
  void what_is_unsigned_wrongly_signed_or_too_large_is_refused() throws Exception {
    deploy("worker", (_, payload) -> payload);
    var wrongKey = new Credentials("AKIDLOCAL", "another key", credentials.sessionToken());
    var noToken = new Credentials("AKIDLOCAL", "a secret key", Optional.empty());
    var large = "\"" + "x".repeat(1024 * 1024) + "\"";

    assertEquals(
        "InvalidSignatureException", error(caller.with(wrongKey).invoke("worker", "Event", "1")));
    assertEquals(
        "UnrecognizedClientException", error(caller.with(noToken).invoke("worker", "Event", "1")));
    assertEquals("RequestTooLargeException", error(caller.invoke("worker", "Event", large)));
    assertEquals("ResourceNotFoundException", error(caller.invoke("nobody", "Event", "1")));
    assertEquals("InvalidRequestContentException", error(caller.invoke("worker", "Event", "{")));
    var unsigned =
        HttpRequest.newBuilder(aws.url().resolve("/2015-03-31/functions/worker/invocations"))
            .POST(BodyPublishers.ofString("1"))
            .build();
    assertEquals(
        "MissingAuthenticationTokenException", error(http.send(unsigned, BodyHandlers.ofString())));
  }

  @Test
  void parameters_are_read_decrypted_only_when_asked_for() {
    aws.parameters().put("/gorkie/token", "xoxb-1");

    var plain = caller.ssm("GetParameter", "{\"Name\":\"/gorkie/token\",\"WithDecryption\":true}");
    var cipher = caller.ssm("GetParameter", "{\"Name\":\"/gorkie/token\"}");
    var several =
        new JsonObject(
            caller
                .ssm(
                    "GetParameters",
                    "{\"Names\":[\"/gorkie/token\",\"/none\"],\"WithDecryption\":true}")
                .body());

    assertEquals(
        "xoxb-1", new JsonObject(plain.body()).getJsonObject("Parameter").getString("Value"));
    assertFalse(cipher.body().contains("xoxb-1"), cipher.body());
    assertEquals(1, several.getJsonArray("Parameters").size());
    assertEquals(List.of("/none"), several.getJsonArray("InvalidParameters").getList());
    var missing = caller.ssm("GetParameter", "{\"Name\":\"/none\"}");
    assertEquals(400, missing.statusCode());
    assertEquals("ParameterNotFound", error(missing));
  }

  @Test
  void the_gateway_turns_a_request_into_an_event_and_a_result_into_an_answer() throws Exception {
    var ingress =
        deploy(
            "ingress",
            (_, _) ->
                """
                {"statusCode":201,"headers":{"Content-Type":"text/plain","X-Own":"1"},"body":"b2s=","isBase64Encoded":true}
                """);
    var gateway = aws.gateway(0, Map.of("POST /slack/events", ingress), Gateway.Bodies.BY_TYPE);
    var request =
        HttpRequest.newBuilder(gateway.url().resolve("/slack/events?a=1&b=%20"))
            .header("X-Slack-Signature", "v0=abc")
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString("{\"text\":\"Grüße\"}"))
            .build();

    var response = http.send(request, BodyHandlers.ofString());

    assertEquals(201, response.statusCode());
    assertEquals("ok", response.body());
    assertEquals(Optional.of("1"), response.headers().firstValue("x-own"));
    var event = new JsonObject(ingress.attempts().getFirst().payload());
    assertEquals("{\"text\":\"Grüße\"}", event.getString("body"));
    assertEquals("v0=abc", event.getJsonObject("headers").getString("x-slack-signature"));
    assertEquals("a=1&b=%20", event.getString("rawQueryString"));
    assertEquals(
        "POST", event.getJsonObject("requestContext").getJsonObject("http").getString("method"));
  }

  @Test
  void the_gateway_carries_forms_as_base64_and_hides_what_is_not_routed_or_broken()
      throws Exception {
    var ingress =
        deploy(
            "ingress",
            (_, _) -> {
              throw new IllegalStateException("no");
            });
    var gateway =
        aws.gateway(0, Map.of("POST /slack/interactions", ingress), Gateway.Bodies.BY_TYPE);
    var form =
        HttpRequest.newBuilder(gateway.url().resolve("/slack/interactions"))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("payload=%7B%7D"))
            .build();
    var other = HttpRequest.newBuilder(gateway.url().resolve("/internal/sweep")).build();

    assertEquals(500, http.send(form, BodyHandlers.ofString()).statusCode());
    assertEquals(404, http.send(other, BodyHandlers.ofString()).statusCode());
    var event = new JsonObject(ingress.attempts().getFirst().payload());
    assertTrue(event.getBoolean("isBase64Encoded"));
    assertEquals(
        "payload=%7B%7D", new String(Base64.getDecoder().decode(event.getString("body")), UTF_8));
  }

  private LambdaFunction deploy(String name, Code.Handler handler) {
    return aws.deploy(FunctionSettings.of(name, new Code.Here(handler)));
  }

  private static String error(HttpResponse<String> response) {
    return response.headers().firstValue("x-amzn-errortype").orElse("none");
  }
}
