package dev.gorkie.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the database is, read from the one line that hosts hand out.
///
/// Both `postgresql://user:password@host/name?…` and `jdbc:postgresql://host/name?…` are understood.
record DatabaseUrl(String jdbc, Optional<String> user, Optional<String> password) {

  static final String EXPECTED =
      "postgresql://user:password@host:5432/name, or the same as jdbc:postgresql://…";

  // Words of libpq that the JDBC driver does not know, or knows under another name; it would refuse
  // the first two and ignore the rest.
  private static final Set<String> NOT_FOR_JDBC = Set.of("channel_binding", "pgbouncer", "schema");

  /// Empty when it is no PostgreSQL URL.
  static Optional<DatabaseUrl> parse(String url) {
    var plain = url.strip();
    if (plain.startsWith("jdbc:")) {
      plain = plain.substring("jdbc:".length());
    }
    URI uri;
    try {
      uri = new URI(plain);
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
    var scheme = uri.getScheme();
    if (!("postgresql".equals(scheme) || "postgres".equals(scheme))
        || uri.getHost() == null
        || uri.getPath() == null
        || uri.getPath().length() < 2) {
      return Optional.empty();
    }
    var parameters = parameters(uri.getRawQuery());
    var user = Optional.ofNullable(parameters.remove("user"));
    var password = Optional.ofNullable(parameters.remove("password"));
    var credentials = uri.getRawUserInfo();
    if (credentials != null) {
      var colon = credentials.indexOf(':');
      user = Optional.of(decoded(colon < 0 ? credentials : credentials.substring(0, colon)));
      password = colon < 0 ? password : Optional.of(decoded(credentials.substring(colon + 1)));
    }
    parameters.keySet().removeAll(NOT_FOR_JDBC);
    // A pooler in transaction mode gives each transaction another server connection, which knows
    // nothing of statements prepared on the last one.
    parameters.putIfAbsent("prepareThreshold", "0");
    var port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    var jdbc =
        "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + "?" + joined(parameters);
    return Optional.of(new DatabaseUrl(jdbc, user, password));
  }

  private static Map<String, String> parameters(@Nullable String query) {
    var parameters = new LinkedHashMap<String, String>();
    if (query != null) {
      for (var pair : query.split("&", -1)) {
        var equals = pair.indexOf('=');
        if (equals > 0) {
          parameters.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
        }
      }
    }
    return parameters;
  }

  private static String joined(Map<String, String> parameters) {
    List<String> pairs = new ArrayList<>();
    parameters.forEach(
        (name, value) -> pairs.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return String.join("&", pairs);
  }

  private static String decoded(String text) {
    // In a URL's user part a plus is a plus; only the decoder for forms takes it for a blank.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
