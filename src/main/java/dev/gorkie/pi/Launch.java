package dev.gorkie.pi;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What the keeper starts Pi with.
///
/// @param modelKey empty where the machine has a secret that stands for it
record Launch(
    Conversation conversation,
    String permissions,
    String workDirectory,
    URI modelUrl,
    String modelId,
    Optional<String> modelKey,
    Duration limit) {

  /// With `force` a keeper that runs is killed, and forgets every fence it has heard of.
  String line(boolean force) {
    var start = words();
    modelKey.ifPresent(key -> start.put("key", key));
    start.put("force", force);
    return Fold.line(Map.of("start", start));
  }

  /// Where there is no secret in it, it may go where it can be read back. Empty where there is one.
  Optional<String> openLine(long fence, boolean force) {
    if (modelKey.isPresent()) {
      return Optional.empty();
    }
    var start = words();
    start.put("fence", fence);
    start.put("force", force);
    return Optional.of(Fold.line(start));
  }

  private Map<String, Object> words() {
    return new HashMap<>(
        Map.of(
            "session", session(),
            "begun", conversation.begun(),
            "permissions", permissions,
            "cwd", workDirectory,
            "model", Map.of("baseUrl", modelUrl.toString(), "id", modelId),
            "limitSeconds", limit.toSeconds()));
  }

  String session() {
    return conversation.session();
  }

  /// The same in the conversation that is to be gone on with instead.
  Launch instead() {
    return new Launch(
        conversation.instead().get(),
        permissions,
        workDirectory,
        modelUrl,
        modelId,
        modelKey,
        limit);
  }

  @Override
  public String toString() {
    return "Launch[" + session() + ", " + modelId + "]";
  }
}
