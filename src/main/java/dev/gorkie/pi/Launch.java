package dev.gorkie.pi;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the keeper starts Pi with.
///
/// @param modelSees whether the model can look at images; Pi shows them to no other
/// @param modelKey empty where the machine has a secret that stands for it
record Launch(
    Conversation conversation,
    String permissions,
    String workDirectory,
    URI modelUrl,
    String modelId,
    boolean modelSees,
    Optional<String> modelKey,
    Duration limit) {

  String line(Beginning beginning) {
    var start = words(beginning);
    modelKey.ifPresent(key -> start.put("key", key));
    return Fold.line(Map.of("start", start));
  }

  /// Where there is no secret in it, it may go where it can be read back. Empty where there is one.
  Optional<String> openLine(long fence, Beginning beginning) {
    if (modelKey.isPresent()) {
      return Optional.empty();
    }
    var start = words(beginning);
    start.put("fence", fence);
    return Optional.of(Fold.line(start));
  }

  private Map<String, Object> words(Beginning beginning) {
    var words =
        new HashMap<String, Object>(
            Map.of(
                "session", session(),
                "begun", conversation.begun(),
                "permissions", permissions,
                "cwd", workDirectory,
                "model", model(),
                "limitSeconds", limit.toSeconds()));
    switch (beginning) {
      case Beginning.IfNeeded() -> {}
      case Beginning.Anew(var before) -> words.put("anew", before);
      case Beginning.ByForce() -> words.put("force", true);
    }
    return words;
  }

  /// In the same order each time: the keeper compares it, letter by letter, with what it has.
  private Map<String, Object> model() {
    var model = new LinkedHashMap<String, Object>();
    model.put("baseUrl", modelUrl.toString());
    model.put("id", modelId);
    if (modelSees) {
      model.put("input", List.of("text", "image"));
    }
    return model;
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
        modelSees,
        modelKey,
        limit);
  }

  @Override
  public String toString() {
    return "Launch[" + session() + ", " + modelId + "]";
  }
}
