package dev.gorkie.local.daytona;

import dev.gorkie.local.web.Call;
import java.util.Optional;

/// Who may call.
final class Credentials {

  private final String apiKey;

  Credentials(String apiKey) {
    this.apiKey = apiKey;
  }

  void check(Call call) {
    if (!isKey(call)) {
      throw new Refused(401, "Invalid credentials");
    }
  }

  /// There a sandbox's own token is good too, as a header or in the query.
  void checkToolbox(Call call, Optional<Machine> machine) {
    var token =
        call.header("X-Daytona-Preview-Token").or(() -> call.query("DAYTONA_SANDBOX_AUTH_KEY"));
    var isToken = machine.map(Machine::previewToken).equals(token) && token.isPresent();
    if (!isToken && !isKey(call)) {
      throw new Refused(401, "Unauthorized");
    }
  }

  private boolean isKey(Call call) {
    return call.header("Authorization").filter(("Bearer " + apiKey)::equals).isPresent();
  }
}
