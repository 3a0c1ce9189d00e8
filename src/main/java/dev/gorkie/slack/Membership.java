package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;

/// How we come into a workspace, and out of it.
public sealed interface Membership {

  /// What we call it where it is carried on: Slack itself sends a person back with it, and no delivery.
  String TYPE = "gorkie_agreed";

  /// Somebody has agreed; for the code Slack gives a token, once.
  record Agreed(String code) implements Membership {

    byte[] delivery() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("type", TYPE)
          .put("code", code)
          .toString()
          .getBytes(UTF_8);
    }
  }

  /// Nobody wants us there any more.
  ///
  /// @param place the workspace, or the organisation that had let us into all of its own
  /// @param at the second in which Slack heard of it: whoever has let us in again since then still wants us
  record Ended(String place, Instant at) implements Membership {}
}
