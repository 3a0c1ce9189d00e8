package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import java.time.Instant;

/// How errors look: the control plane's, and the envelope of the daemon in a sandbox.
final class ErrorBody {

  private ErrorBody() {}

  static Answer ofControlPlane(Call call, Refused refused) {
    var body = common(call.path(), refused);
    body.put("error", refused.phrase());
    return Answer.json(refused.status(), body);
  }

  static Answer ofDaemon(Call call, String path, Refused refused) {
    var body = common(path, refused);
    body.put("code", refused.code());
    body.put("method", call.method());
    body.put("source", "DAYTONA_DAEMON");
    return Answer.json(refused.status(), body);
  }

  private static ObjectNode common(String path, Refused refused) {
    var body = Json.object();
    body.put("path", path);
    body.put("timestamp", Instant.now().toString());
    body.put("statusCode", refused.status());
    body.put("message", refused.text());
    return body;
  }
}
