package dev.gorkie.local.slack;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The page that people see this Slack by: its own files, from the class path, and who may speak for it.
final class Page {

  private static final Pattern FILE = Pattern.compile("/page/([a-z-]+)\\.(js|css|svg)");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");
  // Nothing comes from elsewhere, nothing in a message can become a script, and no other page
  // frames this one.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  // What people and the app put into files is shown as a picture or as text, and never runs.
  private static final String FILE_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  private static final Set<String> HERE = Set.of("127.0.0.1", "localhost");

  private Page() {}

  static boolean isOne(String path) {
    return path.equals("/") || path.startsWith("/page/") || path.startsWith("/archives/");
  }

  static Answer answer(String path) throws IOException {
    var found = FILE.matcher(path);
    if (!path.startsWith("/page/")) {
      return file("index", "html");
    }
    return found.matches() ? file(found.group(1), found.group(2)) : missing();
  }

  private static Answer file(String name, String extension) throws IOException {
    try (var content = Page.class.getResourceAsStream("/page/" + name + "." + extension)) {
      if (content == null) {
        return missing();
      }
      var type = Optional.ofNullable(TYPES.get(extension)).orElseThrow();
      return Answer.bytes(type, Buffer.buffer(content.readAllBytes()))
          .with("content-security-policy", POLICY)
          .with("x-content-type-options", "nosniff")
          .with("referrer-policy", "no-referrer")
          .with("cache-control", "no-cache");
    }
  }

  private static Answer missing() {
    return Answer.text(404, "There is nothing here");
  }

  /// A file somebody put into a message.
  static Answer guarded(Answer file) {
    return file.with("content-security-policy", FILE_POLICY)
        .with("x-content-type-options", "nosniff")
        .with("referrer-policy", "no-referrer");
  }

  /// Whether the caller may act for the people here: a program on this machine, or this page itself. Another page, open
  /// in the same browser, could otherwise say something to Gorkie, which runs commands here.
  static boolean mayAct(HttpServerRequest request) {
    var authority = Optional.ofNullable(request.authority());
    var isHere = authority.filter(host -> HERE.contains(host.host())).isPresent();
    var origin = Optional.ofNullable(request.getHeader("origin"));
    return isHere
        && origin.filter(other -> !other.equals("http://" + authority.get())).isEmpty()
        && !"cross-site".equals(request.getHeader("sec-fetch-site"))
        && !"same-site".equals(request.getHeader("sec-fetch-site"));
  }
}
