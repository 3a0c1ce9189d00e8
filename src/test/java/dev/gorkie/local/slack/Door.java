package dev.gorkie.local.slack;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;

/// Where HTTP requests come in. What an answer takes is done on a virtual thread, so that it may wait.
final class Door {
  private static final String NOT_YOURS =
      "Only programs of this machine and the page itself may act for the people here";
  private static final int BODY_BYTES_MAX = 8 << 20;
  private final Vertx vertx;
  private final ExecutorService work;
  private final WebApi api;
  private final Neighbours neighbours;
  private final FileDoor files;
  private final ResponseUrls responseUrls;
  private final Sockets sockets;
  private final LocalDoor local;

  Door(
      Vertx vertx,
      ExecutorService work,
      WebApi api,
      Neighbours neighbours,
      FileDoor files,
      ResponseUrls responseUrls,
      Sockets sockets,
      LocalDoor local) {
    this.vertx = vertx;
    this.work = work;
    this.api = api;
    this.neighbours = neighbours;
    this.files = files;
    this.responseUrls = responseUrls;
    this.sockets = sockets;
    this.local = local;
  }

  /// Work that ends in an answer.
  @FunctionalInterface
  private interface Making {
    Answer from(Buffer body) throws Exception;
  }

  void open(HttpServerRequest request) {
    var path = Optional.ofNullable(request.path()).orElse("/");
    var neighbour = neighbours.at(path);
    if (neighbour.isPresent()) {
      neighbour.get().open(request, path.substring(path.indexOf('/', 1)));
    } else {
      open(request, path);
    }
  }

  private Answer called(String method, Map<String, String> form, Optional<String> bearer)
      throws Exception {
    var token = bearer.or(() -> Optional.ofNullable(form.get("token")));
    var theirs = token.flatMap(neighbours::by).map(door -> door.api).orElse(api);
    return theirs.answer(method, form, bearer);
  }

  private void open(HttpServerRequest request, String path) {
    if (path.startsWith("/api/")) {
      withBody(
          request,
          body -> called(rest(path), ApiForm.read(request, rest(path), body), bearer(request)));
    } else if (path.equals("/link/")) {
      sockets.connect(request);
    } else if (path.equals("/oauth/v2/authorize")) {
      answer(request, () -> local.agree(query(request)));
    } else if (path.startsWith("/upload/v1/")) {
      files
          .receive(request, rest(path))
          .onSuccess(file -> answer(request, () -> files.received(file)))
          .onFailure(e -> respond(request, Answer.text(400, String.valueOf(e.getMessage()))));
    } else if (path.startsWith("/files-pri/")) {
      answer(request, () -> files.download(rest(path), bearer(request)));
    } else if (path.startsWith("/actions/")) {
      withBody(
          request,
          body ->
              responseUrls.answer(path.substring(path.lastIndexOf('/') + 1), body.toJsonObject()));
    } else if (path.startsWith("/_local/") && !Page.mayAct(request)) {
      respond(request, Answer.text(403, NOT_YOURS));
    } else if (path.equals("/_local/feed")) {
      stream(request, local::feed);
    } else if (path.equals("/_local/behind")) {
      var given = query(request);
      stream(request, () -> local.behind(given));
    } else if (path.equals("/_local/attach")) {
      files
          .toDisk(request, files.aside())
          .onSuccess(content -> answer(request, () -> local.attach(content)))
          .onFailure(e -> respond(request, Answer.text(400, String.valueOf(e.getMessage()))));
    } else if (path.equals("/_local/upload")) {
      files
          .toDisk(request, files.aside())
          .onSuccess(content -> answer(request, () -> local.upload(query(request), content)))
          .onFailure(e -> respond(request, Answer.text(400, String.valueOf(e.getMessage()))));
    } else if (path.startsWith("/_local/")) {
      withBody(request, body -> local.answer(rest(path), query(request), body));
    } else if (Page.isOne(path)) {
      answer(request, () -> Page.answer(path));
    } else {
      respond(request, Answer.text(404, "There is nothing here"));
    }
  }

  /// What follows the first part of a path; of an upload's, what follows the second.
  private static String rest(String path) {
    var from = path.startsWith("/upload/v1/") ? "/upload/v1/".length() : path.indexOf('/', 1) + 1;
    return path.substring(from);
  }

  static Map<String, String> query(HttpServerRequest request) {
    var fields = new LinkedHashMap<String, String>();
    request.params().forEach((name, value) -> fields.put(name, value));
    return fields;
  }

  private static Optional<String> bearer(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader("authorization"))
        .filter(value -> value.startsWith("Bearer "))
        .map(value -> value.substring("Bearer ".length()).strip());
  }

  private void withBody(HttpServerRequest request, Making making) {
    var body = Buffer.buffer();
    request.handler(
        chunk -> {
          if (body.length() + chunk.length() <= BODY_BYTES_MAX) {
            body.appendBuffer(chunk);
          } else {
            respond(request, Answer.text(413, "Too large"));
          }
        });
    request.endHandler(_ -> answer(request, () -> making.from(body)));
  }

  private void answer(HttpServerRequest request, Callable<Answer> making) {
    var context = vertx.getOrCreateContext();
    work.execute(
        () -> {
          var answer = made(making);
          context.runOnContext(_ -> respond(request, answer));
        });
  }

  private void stream(HttpServerRequest request, Callable<EventStream.Source> from) {
    var context = vertx.getOrCreateContext();
    work.execute(
        () -> {
          try {
            new EventStream(request, context).run(from.call());
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the workspace closes
          } catch (IllegalArgumentException e) {
            var refusal = Answer.text(400, String.valueOf(e.getMessage()));
            context.runOnContext(_ -> respond(request, refusal));
          } catch (Exception e) {
            request.connection().close(); // the page asks again, and is told then
          }
        });
  }

  private static Answer made(Callable<Answer> making) {
    try {
      return making.call();
    } catch (IllegalArgumentException | DecodeException e) {
      return Answer.text(400, String.valueOf(e.getMessage()));
    } catch (Exception | AssertionError e) {
      return Answer.text(500, e.toString());
    }
  }

  private static void respond(HttpServerRequest request, Answer answer) {
    var response = request.response();
    if (answer.lost()) {
      request.connection().close();
      return;
    }
    if (response.ended() || response.closed()) {
      return; // too large a body was refused already, or the caller is gone
    }
    answer.headers().forEach(response::putHeader);
    response.setStatusCode(answer.status());
    answer
        .file()
        .ifPresentOrElse(
            file -> response.sendFile(file.toString()), () -> response.end(answer.body()));
  }
}
