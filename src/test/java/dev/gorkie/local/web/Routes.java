package dev.gorkie.local.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which piece of code answers which call; the first that fits does.
public final class Routes {

  /// What stood in the places that a path names in braces, decoded.
  public record Parts(Map<String, String> values) {

    public String of(String name) {
      var value = values.get(name);
      if (value == null) {
        throw new IllegalArgumentException("the path names no " + name);
      }
      return value;
    }
  }

  /// Answers a call.
  @FunctionalInterface
  public interface Step {
    Answer answer(Call call, Parts parts) throws Exception;
  }

  private record Route(String method, Pattern path, Step step) {}

  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  private final List<Route> routes = new ArrayList<>();

  /// A path such as `/sandbox/{id}/start`.
  public Routes on(String method, String path, Step step) {
    var pattern = PLACE.matcher(path).replaceAll("(?<$1>[^/]+)");
    routes.add(new Route(method, Pattern.compile(pattern), step));
    return this;
  }

  /// Nothing when no route fits.
  public Optional<Answer> answer(Call call, String path) throws Exception {
    for (var route : routes) {
      var match = route.path().matcher(path);
      if (route.method().equals(call.method()) && match.matches()) {
        var parts = new LinkedHashMap<String, String>();
        for (var name : route.path().namedGroups().keySet()) {
          parts.put(name, URLDecoder.decode(match.group(name), StandardCharsets.UTF_8));
        }
        return Optional.of(route.step().answer(call, new Parts(parts)));
      }
    }
    return Optional.empty();
  }
}
