package dev.gorkie.local.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The cases AWS itself published for Signature Version 4.
class SigningTest {

  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final String STAMP = "20150830T123600Z";
  private static final String SCOPE = "20150830/us-east-1/service/aws4_request";

  @Test
  void a_plain_get() {
    assertEquals(
        "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31", signed("GET", ""));
  }

  @Test
  void a_query_in_the_wrong_order() {
    assertEquals(
        "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        signed("GET", "Param2=value2&Param1=value1"));
  }

  @Test
  void a_plain_post() {
    assertEquals(
        "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", signed("POST", ""));
  }

  private static String signed(String method, String query) {
    var headers = new TreeMap<>(Map.of("host", "example.amazonaws.com", "x-amz-date", STAMP));
    return new Signing(method, "/", query, headers, new byte[0]).signature(SECRET, STAMP, SCOPE);
  }
}
