package dev.gorkie.pi;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/// What the keeper starts Pi with.
record Launch(
    Conversation conversation,
    String workDirectory,
    URI modelUrl,
    String modelId,
    String modelKey,
    Duration limit) {

  /// With `force` a keeper that runs is killed, and forgets every fence it has heard of.
  String line(boolean force) {
    return Fold.line(
        Map.of(
            "start",
            Map.of(
                "session", session(),
                "begun", conversation.begun(),
                "cwd", workDirectory,
                "model", Map.of("baseUrl", modelUrl.toString(), "id", modelId),
                "key", modelKey,
                "limitSeconds", limit.toSeconds(),
                "force", force)));
  }

  String session() {
    return conversation.session();
  }

  /// The same in the conversation that is to be gone on with instead.
  Launch instead() {
    return new Launch(
        conversation.instead().get(), workDirectory, modelUrl, modelId, modelKey, limit);
  }

  @Override
  public String toString() {
    return "Launch[" + session() + ", " + modelId + "]";
  }
}
