package dev.gorkie.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Against what AWS publishes and what its own client for Python computes for the same requests.
class AwsSignatureTest {

  private static final String ID = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");

  @Test
  void the_published_vector_for_a_post_without_a_body_is_met() {
    var signature = new AwsSignature(ID, SECRET, Optional.empty(), "us-east-1", "service");

    var headers =
        signature.sign(
            "POST",
            URI.create("https://example.amazonaws.com/"),
            Map.of(),
            new byte[0],
            Instant.parse("2015-08-30T12:36:00Z"));

    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            + "SignedHeaders=host;x-amz-date, "
            + "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
        headers.get("Authorization"));
  }

  @Test
  void an_invocation_with_a_session_token_is_signed_as_aws_signs_it() {
    var headers =
        lambda(Optional.of("SESSION//TOKEN=="))
            .sign(
                "POST",
                URI.create(
                    "https://lambda.eu-central-1.amazonaws.com/2015-03-31/functions/gorkie-worker/invocations"),
                Map.of(),
                utf8("{\"rawPath\":\"/internal/wakes\"}"),
                NOON);

    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/eu-central-1/lambda/aws4_request, "
            + "SignedHeaders=host;x-amz-date;x-amz-security-token, "
            + "Signature=b5bdfc9d1029151a6b14b1add49f7a387d86986d5589cb18b5c4603326662984",
        headers.get("Authorization"));
    assertEquals("20261118T120000Z", headers.get("x-amz-date"));
    assertEquals("SESSION//TOKEN==", headers.get("x-amz-security-token"));
  }

  @Test
  void a_function_named_by_its_arn_and_a_port_are_signed_as_aws_signs_them() {
    var headers =
        lambda(Optional.empty())
            .sign(
                "POST",
                URI.create(
                    "http://127.0.0.1:4504/2015-03-31/functions/"
                        + "arn%3Aaws%3Alambda%3Aeu-central-1%3A123456789012%3Afunction%3Agorkie-worker/invocations"),
                Map.of(),
                utf8("{}"),
                NOON);

    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/eu-central-1/lambda/aws4_request, "
            + "SignedHeaders=host;x-amz-date, "
            + "Signature=3b33984ffefbc31ef31789b0b6e2f94cf06f93a57a4ed19a96e08b105eee84a5",
        headers.get("Authorization"));
  }

  @Test
  void a_signature_that_is_logged_tells_no_secret() {
    assertFalse(lambda(Optional.of("SESSION")).toString().matches(".*(SESSION|wJalr).*"));
  }

  private static AwsSignature lambda(Optional<String> token) {
    return new AwsSignature(ID, SECRET, token, "eu-central-1", "lambda");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
