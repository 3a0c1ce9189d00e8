package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.URLEncoder;
import org.junit.jupiter.api.Test;

class DoorJsonTest {

  @Test
  void what_is_as_deep_as_anything_may_be_is_read_and_one_deeper_is_none() {
    // The envelope is the first of them.
    assertEquals(new SlackEvent.Unknown("x"), read(DoorJson.DEPTH_MAX - 1));
    assertInstanceOf(SlackEvent.Malformed.class, read(DoorJson.DEPTH_MAX));
    assertInstanceOf(SlackEvent.Malformed.class, read(200_000));
  }

  private static SlackEvent read(int depth) {
    var json = "{\"type\":\"x\",\"deep\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    return SlackEvent.read(json.getBytes(UTF_8));
  }

  @Test
  void a_click_may_be_no_deeper_either() {
    var json = "{\"type\":\"x\",\"deep\":" + "[".repeat(200_000) + "]".repeat(200_000) + "}";
    var form = "payload=" + URLEncoder.encode(json, UTF_8);

    assertInstanceOf(SlackEvent.Malformed.class, SlackEvent.read(form.getBytes(UTF_8)));
  }

  @Test
  void a_number_of_more_digits_than_any_has_is_none() {
    var json = "{\"type\":\"x\",\"n\":" + "9".repeat(100_000) + "}";

    assertInstanceOf(SlackEvent.Malformed.class, SlackEvent.read(json.getBytes(UTF_8)));
  }
}
