package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A process that serves one function, and its side of Lambda's runtime API.
final class ProgramInstance implements Instance {

  private static final int RESPONSE_BYTES_MAX = 6 * 1024 * 1024;

  private final String name;
  private final String functionArn;
  private final boolean freezes;
  private final Runnable whenFree;
  private final Process process;
  private CompletableFuture<Invocation> given = new CompletableFuture<>();
  private boolean idle = true;
  private boolean asking;
  private boolean hasAsked;

  ProgramInstance(
      String name,
      FunctionSettings function,
      String functionArn,
      Code.Program program,
      Map<String, String> environment,
      Runnable whenFree) {
    this.name = name;
    this.functionArn = functionArn;
    this.freezes = function.freezes();
    this.whenFree = whenFree;
    this.process = start(program, environment);
    var _ = process.onExit().thenRun(this::ended);
  }

  @Override
  public String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public synchronized boolean isIdle() {
    return idle && process.isAlive();
  }

  @Override
  public synchronized boolean isWarm() {
    return asking && isIdle();
  }

  @Override
  public synchronized boolean wasWarm() {
    return hasAsked;
  }

  @Override
  public boolean isDead() {
    return !process.isAlive();
  }

  /// What it works on, from when it was given to it until it is over.
  synchronized Optional<Serving> serving() {
    return given.isDone() && !given.join().isOver()
        ? Optional.of(new Serving(pid(), given.join().requestId(), given.join().payload()))
        : Optional.empty();
  }

  @Override
  public synchronized void take(Invocation invocation) {
    idle = false;
    asking = false;
    given.complete(invocation);
    if (isDead()) {
      ended();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /// The runtime API; the path is what follows the version.
  void answer(Call call, String path) throws InterruptedException {
    var parts = List.of(path.substring(1).split("/", -1));
    switch (parts.getLast()) {
      case "next" -> next(call);
      case "response" -> respond(call, parts.get(parts.size() - 2));
      case "error" -> {
        if (parts.getFirst().equals("init")) {
          initError(call);
        } else {
          error(call, parts.get(parts.size() - 2));
        }
      }
      default -> call.answer(404, JsonObject.of("errorType", "InvalidPath"));
    }
  }

  // The long poll: here a function waits, and where it freezes it does so while it waits.
  private void next(Call call) throws InterruptedException {
    var event = rest();
    if (freezes && !event.isDone()) {
      Signal.STOP.send(pid());
    }
    CompletableFuture.anyOf(event, call.gone()).join();
    if (freezes) {
      Signal.CONT.send(pid());
    }
    if (!event.isDone()) {
      return;
    }
    var invocation = event.join();
    var deadline = invocation.begin();
    call.with("Lambda-Runtime-Aws-Request-Id", invocation.requestId())
        .with("Lambda-Runtime-Deadline-Ms", Long.toString(deadline.toEpochMilli()))
        .with("Lambda-Runtime-Invoked-Function-Arn", functionArn)
        .with("Lambda-Runtime-Trace-Id", "Root=1-00000000-000000000000000000000000;Sampled=0")
        .answer(200, "application/json", invocation.payload().getBytes(UTF_8));
  }

  private CompletableFuture<Invocation> rest() {
    synchronized (this) {
      if (given.isDone() && given.join().isOver()) {
        given = new CompletableFuture<>();
        idle = true;
      }
      asking = true;
      hasAsked = true;
    }
    whenFree.run();
    return given();
  }

  private synchronized CompletableFuture<Invocation> given() {
    return given;
  }

  private void respond(Call call, String requestId) {
    if (call.body().length > RESPONSE_BYTES_MAX) {
      end(
          call,
          requestId,
          Outcome.Failed.of(
              "Function.ResponseSizeTooLarge",
              "Response payload size exceeded maximum allowed payload size (6291556 bytes)."));
      return;
    }
    end(call, requestId, new Outcome.Succeeded(call.text()));
  }

  private void error(Call call, String requestId) {
    end(call, requestId, failure(call));
  }

  private void initError(Call call) {
    var event = given();
    if (event.isDone()) {
      event.join().end(failure(call));
    }
    call.answer(202, JsonObject.of("status", "OK"));
  }

  private void end(Call call, String requestId, Outcome outcome) {
    var event = given();
    if (!event.isDone() || !event.join().requestId().equals(requestId)) {
      call.answer(400, JsonObject.of("errorType", "InvalidRequestID"));
      return;
    }
    // Before the answer: the function asks for its next invocation as soon as it has it.
    event.join().end(outcome);
    call.answer(202, JsonObject.of("status", "OK"));
  }

  private static Outcome failure(Call call) {
    var type = call.header("lambda-runtime-function-error-type").orElse("Unhandled");
    return new Outcome.Failed(type, call.text());
  }

  private void ended() {
    var event = given();
    if (event.isDone()) {
      var invocation = event.join();
      invocation.end(
          Outcome.Failed.of(
              "Runtime.ExitError",
              "RequestId: %s Error: Runtime exited with status %d"
                  .formatted(invocation.requestId(), process.exitValue())));
    }
    whenFree.run();
  }

  private static Process start(Code.Program program, Map<String, String> environment) {
    var builder =
        new ProcessBuilder(program.command())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(program.log().toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().putAll(program.environment());
    try {
      var process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }
}
