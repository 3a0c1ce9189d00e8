package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Which sandboxes are to be listed: by labels, states and beginnings of names and ids, page by page.
record Listing(JsonNode labels, Set<String> states, String name, String id, int limit, int offset) {

  private static final int LIMIT = 100;
  private static final int LIMIT_MAX = 200;

  static Listing of(Call call) throws IOException {
    var labels = call.query("labels").orElse("{}").getBytes(StandardCharsets.UTF_8);
    var states = call.query("states").map(list -> Set.of(list.split(","))).orElse(Set.of());
    var limit = number(call, "limit", LIMIT);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new Refused(400, "limit must be between 1 and " + LIMIT_MAX);
    }
    return new Listing(
        Json.read(labels),
        states,
        call.query("name").orElse(""),
        call.query("id").orElse(""),
        limit,
        number(call, "cursor", 0));
  }

  ObjectNode page(List<ObjectNode> all) {
    var fitting =
        all.stream()
            .filter(this::fits)
            .sorted(
                Comparator.comparing((ObjectNode facts) -> facts.path("lastActivityAt").asText())
                    .reversed())
            .toList();
    var page = Json.object();
    var items = page.putArray("items");
    fitting.stream().skip(offset).limit(limit).forEach(items::add);
    var next = offset + limit;
    page.put("nextCursor", next < fitting.size() ? Integer.toString(next) : null);
    return page;
  }

  private boolean fits(ObjectNode facts) {
    return (states.isEmpty() || states.contains(facts.path("state").asText()))
        && begins(facts.path("name").asText(), name)
        && begins(facts.path("id").asText(), id)
        && labels.properties().stream()
            .allMatch(label -> label.getValue().equals(facts.path("labels").path(label.getKey())));
  }

  private static boolean begins(String text, String with) {
    return text.toLowerCase(Locale.ROOT).startsWith(with.toLowerCase(Locale.ROOT));
  }

  private static int number(Call call, String name, int otherwise) {
    try {
      return call.query(name).map(Integer::parseInt).orElse(otherwise);
    } catch (NumberFormatException _) {
      throw new Refused(400, name + " must be a number");
    }
  }
}
