package dev.gorkie.local.slack;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// Takes the bytes of uploads to the disk and gives out those of files, past memory.
final class FileDoor {
  private static final String LOGIN_PAGE =
      "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head></html>";
  private final Vertx vertx;
  private final FileShelf shelf;
  private final Gate gate;
  private final String team;
  private final Grants grants;

  FileDoor(Vertx vertx, FileShelf shelf, Gate gate, String team, Grants grants) {
    this.vertx = vertx;
    this.shelf = shelf;
    this.gate = gate;
    this.team = team;
    this.grants = grants;
  }

  /// Lets an upload run to the place that was reserved for it.
  Future<StoredFile> receive(HttpServerRequest request, String secret) {
    var file = shelf.awaiting(secret).filter(one -> request.method() == HttpMethod.POST);
    return file.map(one -> toDisk(request, one.content).map(one))
        .orElseGet(() -> Future.failedFuture("There is nothing to upload here"));
  }

  Answer received(StoredFile file) throws Exception {
    return gate.pass(
        "upload",
        "",
        () ->
            shelf.accept(file)
                ? Answer.text(200, "OK - " + file.length)
                : Answer.text(400, "The length is not what was announced"));
  }

  /// A place for bytes that belong to no file yet.
  Path aside() {
    return shelf.aside();
  }

  /// The request's body, or the one file of its form.
  Future<Path> toDisk(HttpServerRequest request, Path path) {
    var type = Optional.ofNullable(request.getHeader("content-type")).orElse("");
    if (type.startsWith("multipart/form-data")) {
      return fileOfForm(request, path);
    }
    request.pause();
    return vertx
        .fileSystem()
        .open(path.toString(), new OpenOptions().setTruncateExisting(true))
        .compose(request::pipeTo)
        .map(path);
  }

  private static Future<Path> fileOfForm(HttpServerRequest request, Path path) {
    var written = Promise.<Void>promise();
    var found = new AtomicBoolean();
    request.setExpectMultipart(true);
    request.uploadHandler(
        upload -> {
          found.set(true);
          upload.streamToFileSystem(path.toString()).onComplete(written);
        });
    request.endHandler(
        _ -> {
          if (!found.get()) {
            written.fail("There is no file in the form");
          }
        });
    return written.future().map(path);
  }

  /// @param path team and file, then the name
  Answer download(String path, Optional<String> bearer) throws Exception {
    return gate.pass(
        "download",
        "",
        () -> {
          if (bearer.filter(it -> grants.refusal(it, team).isEmpty()).isEmpty()) {
            return Answer.html(200, LOGIN_PAGE);
          }
          var place = path.split("/", 2)[0];
          return shelf
              .find(place.substring(place.indexOf('-') + 1))
              .filter(file -> file.completed)
              .map(file -> Answer.file(Wire.mimeType(file.name), file.content))
              .orElseGet(() -> Answer.html(404, "<html>Not found</html>"));
        });
  }
}
