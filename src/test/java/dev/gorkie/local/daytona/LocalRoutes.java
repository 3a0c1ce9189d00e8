package dev.gorkie.local.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;

/// What is no part of Daytona: making things go wrong and looking behind the scene, from another process.
///
/// It asks for the same key as everything else, since what runs in a sandbox can reach it too.
final class LocalRoutes {

  private final LocalDaytona daytona;
  private final Credentials credentials;
  private final Routes routes;

  LocalRoutes(LocalDaytona daytona, Credentials credentials) {
    this.daytona = daytona;
    this.credentials = credentials;
    this.routes =
        new Routes()
            .on("GET", "/_local/sandboxes", (_, _) -> sandboxes())
            .on("GET", "/_local/counts", (_, _) -> counts())
            .on("GET", "/_local/requests", (_, _) -> requests())
            .on("GET", "/_local/misunderstandings", (_, _) -> misunderstandings())
            .on("POST", "/_local/terminals/cut", (call, _) -> cut(call.json()))
            .on("POST", "/_local/terminals/refuse", (call, _) -> refuse(call.json()))
            .on("POST", "/_local/terminals/lose-last-output", (call, _) -> lose(call.json()))
            .on("POST", "/_local/troubles", (call, _) -> trouble(call.json()))
            .on("POST", "/_local/account", (call, _) -> setAccount(call.json()))
            .on("POST", "/_local/clear", (_, _) -> clear())
            .on("POST", "/_local/sandboxes/{id}/state", this::setState)
            .on("POST", "/_local/snapshots/{id}/state", this::setSnapshotState);
  }

  Answer answer(Call call) throws Exception {
    try {
      credentials.check(call);
      return routes
          .answer(call, call.path())
          .orElseThrow(() -> new Refused(404, "Cannot " + call.method() + " " + call.path()));
    } catch (Refused refused) {
      return ErrorBody.ofControlPlane(call, refused);
    } catch (IllegalArgumentException | JsonProcessingException wrong) {
      return ErrorBody.ofControlPlane(call, new Refused(400, String.valueOf(wrong.getMessage())));
    }
  }

  private Answer sandboxes() {
    var answer = Json.object();
    var list = answer.putArray("sandboxes");
    for (var sandbox : daytona.sandboxes()) {
      var item = list.addObject();
      item.put("id", sandbox.id());
      item.put("name", sandbox.name());
      item.put("state", sandbox.state().wire());
      item.put("home", sandbox.home().toString());
      item.put("work", sandbox.work().toString());
      var processes = item.putArray("processes");
      for (var process : sandbox.processes()) {
        processes
            .addObject()
            .put("pid", process.pid())
            .put("command", process.info().commandLine().orElse(""));
      }
    }
    return Answer.json(200, answer);
  }

  private Answer requests() {
    var answer = Json.object();
    var list = answer.putArray("requests");
    daytona.requests().forEach(list::add);
    return Answer.json(200, answer);
  }

  private Answer misunderstandings() {
    var answer = Json.object();
    var list = answer.putArray("misunderstandings");
    daytona.misunderstandings().forEach(list::add);
    return Answer.json(200, answer);
  }

  private Answer counts() {
    var counts = daytona.counts();
    var answer = Json.object();
    answer.put("sandboxesCreated", counts.sandboxesCreated());
    answer.put("terminalsOpened", counts.terminalsOpened());
    answer.put("terminalBytes", counts.terminalBytes());
    return Answer.json(200, answer);
  }

  /// `{}` cuts now, `{"afterBytes":n}` later, `{"silentMillis":n}` whenever nothing has passed for that long.
  private Answer cut(JsonNode wish) {
    if (wish.has("silentMillis")) {
      daytona
          .faults()
          .cutSilentTerminalsAfter(Duration.ofMillis(wish.path("silentMillis").asLong()));
    } else if (wish.has("afterBytes")) {
      daytona.faults().cutTerminalsAfter(wish.path("afterBytes").asLong());
    } else {
      daytona.cutTerminals();
    }
    return Answer.empty(204);
  }

  private Answer refuse(JsonNode wish) {
    daytona.faults().refuseTerminals(wish.path("refuse").asBoolean(true));
    return Answer.empty(204);
  }

  private Answer lose(JsonNode wish) {
    daytona.faults().loseLastOutput(wish.path("lose").asBoolean(true));
    return Answer.empty(204);
  }

  /// `{"method","path","times","delayMillis","effects","status","headers","body","drop"}`, of which only the path is
  /// needed.
  private Answer trouble(JsonNode wish) {
    var trouble =
        Trouble.on(wish.path("method").asText("*"), wish.path("path").asText())
            .times(wish.path("times").asInt(1))
            .after(Duration.ofMillis(wish.path("delayMillis").asLong()));
    if (wish.path("drop").asBoolean()) {
      trouble = trouble.dropping();
    } else if (wish.has("status")) {
      var headers = new HashMap<String, String>();
      wish.path("headers")
          .properties()
          .forEach(header -> headers.put(header.getKey(), header.getValue().asText()));
      trouble = trouble.answering(wish.path("status").asInt(), headers, wish.path("body").asText());
    }
    daytona.faults().add(withEffects(trouble, wish.path("effects").asInt(trouble.effects())));
    return Answer.empty(204);
  }

  private static Trouble withEffects(Trouble trouble, int effects) {
    return switch (effects) {
      case 0 -> trouble;
      case 1 -> trouble.withEffect();
      default -> trouble.twice();
    };
  }

  /// `{"permissions":[…],"suspended","limited"}`
  private Answer setAccount(JsonNode wish) {
    var rights = new ArrayList<String>();
    wish.path("permissions").forEach(right -> rights.add(right.asText()));
    daytona.setAccount(
        rights, wish.path("suspended").asBoolean(), wish.path("limited").asBoolean());
    return Answer.empty(204);
  }

  private Answer clear() {
    daytona.faults().clear();
    return Answer.empty(204);
  }

  /// `{"state","reason","recoverable"}`; the last two are for `error`.
  private Answer setState(Call call, Routes.Parts parts) throws Exception {
    var wish = call.json();
    var id = parts.of("id");
    var state = State.of(wish.path("state").asText());
    if (state == State.ERROR) {
      daytona.fail(
          id,
          wish.path("reason").asText("somebody broke it"),
          wish.path("recoverable").asBoolean());
    } else {
      daytona.setState(id, state);
    }
    return Answer.empty(204);
  }

  private Answer setSnapshotState(Call call, Routes.Parts parts) throws Exception {
    ObjectNode wish = (ObjectNode) call.json();
    daytona.setSnapshotState(parts.of("id"), wish.path("state").asText());
    return Answer.empty(204);
  }
}
