package dev.gorkie.local.model;

import io.vertx.core.json.JsonObject;

/// The tokens a call is billed for; of those read, some may have come from the provider's cache.
public record Usage(long read, long cached, long written) {

  private static final int CHARS_PER_TOKEN = 4;

  static Usage estimated(int charsRead, int charsWritten) {
    return new Usage(charsRead / CHARS_PER_TOKEN, 0, 1 + charsWritten / CHARS_PER_TOKEN);
  }

  JsonObject json() {
    return new JsonObject()
        .put("prompt_tokens", read)
        .put("completion_tokens", written)
        .put("total_tokens", read + written)
        .put("prompt_tokens_details", JsonObject.of("cached_tokens", cached));
  }
}
