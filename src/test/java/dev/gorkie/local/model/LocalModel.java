package dev.gorkie.local.model;

import dev.gorkie.local.wire.Call;
import dev.gorkie.local.wire.Door;
import dev.gorkie.local.wire.Recording;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/// A model provider on a loopback port. A scripted prompt is answered by the script, any other by the demonstration.
public final class LocalModel implements AutoCloseable {

  /// Port 0 is any; an empty key lets everybody in.
  public record Settings(int port, String id, String key) {}

  private static final String COMPLETIONS = "/v1/chat/completions";
  private static final String EVENTS = "text/event-stream";

  private final Settings settings;
  private final Door door;
  private final Script script = new Script();
  private final Demonstration demonstration = new Demonstration();
  private final Recording<Asked> asked = new Recording<>();
  private final Recording<Asked> hanging = new Recording<>();
  private final AtomicLong answers = new AtomicLong();
  private volatile CompletableFuture<Void> released = new CompletableFuture<>();

  private LocalModel(Settings settings) {
    this.settings = settings;
    this.door = Door.open(settings.port(), this::answer);
  }

  public static LocalModel start(Settings settings) {
    return new LocalModel(settings);
  }

  /// Ends in `/v1`, as a provider's base URL does.
  public URI url() {
    return door.url().resolve("/v1");
  }

  public String id() {
    return settings.id();
  }

  public String key() {
    return settings.key();
  }

  /// Rules count in the order they were added in.
  public void script(Rule... rules) {
    for (var rule : rules) {
      script.add(rule);
    }
  }

  public void forgetScript() {
    script.clear();
  }

  public List<Asked> asked() {
    return asked.all();
  }

  public Asked awaitAsked(Predicate<Asked> wanted, Duration most) throws InterruptedException {
    return asked.await(wanted, most);
  }

  /// A request whose answer hangs, as its script says.
  public Asked awaitHanging(Predicate<Asked> wanted, Duration most) throws InterruptedException {
    return hanging.await(wanted, most);
  }

  /// Lets everything that hangs now go on.
  public void release() {
    var gate = released;
    released = new CompletableFuture<>();
    gate.complete(null);
  }

  @Override
  public void close() {
    release();
    door.close();
  }

  private void answer(Call call) throws InterruptedException {
    switch (call.method() + " " + call.path()) {
      case "POST " + COMPLETIONS -> complete(call);
      case "GET /v1/models" -> models(call);
      case "POST /_local/script" -> {
        new ScriptReader().read(call.json()).forEach(script::add);
        call.answer(204);
      }
      case "DELETE /_local/script" -> {
        forgetScript();
        call.answer(204);
      }
      case "POST /_local/release" -> {
        release();
        call.answer(204);
      }
      case "GET /_local/asked" -> call.answer(200, recorded());
      default -> refuse(call, 404, "invalid_request_error", "Unknown request URL: " + call.path());
    }
  }

  private void models(Call call) {
    if (isLetIn(call)) {
      var model = JsonObject.of("id", settings.id(), "object", "model", "owned_by", "local");
      call.answer(200, JsonObject.of("object", "list", "data", JsonArray.of(model)));
    }
  }

  private void complete(Call call) throws InterruptedException {
    JsonObject body;
    try {
      body = call.json();
    } catch (DecodeException notJson) {
      refuse(call, 400, "invalid_request_error", "The body is not JSON");
      return;
    }
    var request = new Asked(body, call.header("authorization"));
    asked.add(request);
    request.ended(
        isLetIn(call) && isValid(request, call) ? reply(request, call) : Asked.End.REFUSED);
  }

  private boolean isLetIn(Call call) {
    var expected = "Bearer " + settings.key();
    if (settings.key().isEmpty() || call.header("authorization").equals(Optional.of(expected))) {
      return true;
    }
    refuse(call, 401, "invalid_api_key", "Incorrect API key provided");
    return false;
  }

  private boolean isValid(Asked request, Call call) {
    if (!request.model().equals(settings.id())) {
      refuse(call, 404, "model_not_found", "The model " + request.model() + " does not exist");
      return false;
    }
    var unanswered = request.conversation().unanswered();
    if (!unanswered.isEmpty()) {
      refuse(
          call,
          400,
          "invalid_request_error",
          "An assistant message with tool_calls must be followed by tool messages; missing: "
              + unanswered);
      return false;
    }
    return true;
  }

  private Asked.End reply(Asked request, Call call) throws InterruptedException {
    var due =
        script
            .due(request.conversation())
            .orElseGet(() -> new Script.Due(demonstration.answer(request), () -> {}));
    return switch (due.reply()) {
      case Reply.Refused refused -> {
        refused.headers().forEach(call::with);
        refuse(call, refused.status(), "local_script", refused.message());
        yield Asked.End.REFUSED;
      }
      case Reply.Spoken spoken -> {
        var end = speak(spoken, request, call);
        if (end == Asked.End.ABANDONED) {
          due.lost().run();
        }
        yield end;
      }
    };
  }

  private Asked.End speak(Reply.Spoken reply, Asked request, Call call)
      throws InterruptedException {
    var completion = completion(reply, request);
    var pieces = completion.pieces();
    for (var i = 0; i < pieces.size(); i++) {
      var stopped = stop(reply.ending(), i, request, call);
      if (stopped.isPresent()) {
        return stopped.get();
      }
      if (request.isStreamed() && !call.send(EVENTS, pieces.get(i))) {
        return Asked.End.ABANDONED;
      }
      pause(reply.pause(), call);
    }
    var stopped = stop(reply.ending(), pieces.size(), request, call);
    if (stopped.isPresent()) {
      return stopped.get();
    }
    if (request.isStreamed()) {
      call.send(EVENTS, completion.ending(request.wantsUsage()));
      call.end();
    } else {
      call.answer(200, completion.whole());
    }
    return call.gone().isDone() ? Asked.End.ABANDONED : Asked.End.ANSWERED;
  }

  private Completion completion(Reply.Spoken reply, Asked request) {
    var written =
        reply.text().length()
            + reply.calls().stream().mapToInt(tool -> tool.arguments().encode().length()).sum();
    var usage =
        reply.usage().orElseGet(() -> Usage.estimated(request.conversation().chars(), written));
    return new Completion(Long.toString(answers.incrementAndGet()), settings.id(), reply, usage);
  }

  /// What happens after so many pieces, if it is the end of the stream.
  private Optional<Asked.End> stop(Ending ending, int pieces, Asked request, Call call) {
    return switch (ending) {
      case Ending.Cut(var after) when after == pieces -> {
        call.hangUp();
        yield Optional.of(Asked.End.BROKEN_OFF);
      }
      case Ending.Unfinished(var after) when after == pieces -> {
        call.end();
        yield Optional.of(Asked.End.BROKEN_OFF);
      }
      case Ending.Hanging(var after) when after == pieces -> {
        var gate = released;
        hanging.add(request);
        CompletableFuture.anyOf(gate, call.gone()).join();
        yield call.gone().isDone() ? Optional.of(Asked.End.ABANDONED) : Optional.empty();
      }
      case Ending.Whole _, Ending.Cut _, Ending.Unfinished _, Ending.Hanging _ -> Optional.empty();
    };
  }

  private static void pause(Duration pause, Call call) throws InterruptedException {
    if (pause.isPositive() && !call.gone().isDone()) {
      Thread.sleep(pause);
    }
  }

  private JsonObject recorded() {
    var requests = new JsonArray();
    asked.all().forEach(request -> requests.add(request.body()));
    return JsonObject.of("asked", requests);
  }

  private static void refuse(Call call, int status, String code, String message) {
    var error = JsonObject.of("message", message, "type", code, "code", code);
    call.answer(status, JsonObject.of("error", error));
  }
}
