package dev.gorkie.local.aws;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Who may call: every request has to be signed with these.
public record Credentials(
    String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {

  /// As a function finds them in its environment.
  public Map<String, String> environment() {
    var variables = new TreeMap<String, String>();
    variables.put("AWS_ACCESS_KEY_ID", accessKeyId);
    variables.put("AWS_SECRET_ACCESS_KEY", secretAccessKey);
    sessionToken.ifPresent(token -> variables.put("AWS_SESSION_TOKEN", token));
    return variables;
  }
}
