package dev.gorkie.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.daytona.Answer.Refusal;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.rest.client.ext.ResponseExceptionMapper;

/// Reads what Daytona, or a gateway before it, says when it does not do as it was asked.
final class Refusals implements ResponseExceptionMapper<Refusals.Refused> {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MESSAGE_CHARS_MAX = 500;

  @Override
  public boolean handles(int status, MultivaluedMap<String, Object> headers) {
    return status >= 300;
  }

  @Override
  public Refused toThrowable(Response response) {
    var body = response.hasEntity() ? response.readEntity(String.class) : "";
    return new Refused(read(response.getStatus(), response.getStringHeaders(), body));
  }

  /// Newer parts of Daytona say `message` and `code`, older ones `error` and `error_code`, gateways HTML or nothing.
  static Refusal read(int status, Map<String, ? extends Collection<String>> headers, String body) {
    var node = parse(body);
    var message = firstText(node, "message", "error").orElse(body);
    return new Refusal(
        status,
        firstText(node, "code", "error_code").orElse(""),
        message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)),
        retryAfter(headers));
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException _) {
      return JSON.createObjectNode();
    }
  }

  private static Optional<String> firstText(JsonNode node, String... names) {
    return List.of(names).stream()
        .map(node::path)
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst();
  }

  /// Daytona puts the limiter's name behind the header's: `Retry-After-sandbox-create`. The longest wait counts.
  private static Optional<Duration> retryAfter(Map<String, ? extends Collection<String>> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().toLowerCase(Locale.ROOT).startsWith("retry-after"))
        .flatMap(header -> header.getValue().stream())
        .filter(seconds -> seconds.matches("\\d{1,6}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .max(Duration::compareTo);
  }

  /// Carries a refusal through the REST client, which knows values and exceptions only.
  static final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    private Refused(Refusal refusal) {
      super("HTTP " + refusal.status());
      this.refusal = refusal;
    }

    Refusal refusal() {
      return refusal;
    }
  }
}
