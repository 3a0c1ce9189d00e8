package dev.gorkie.database;

import dev.gorkie.settings.SecretSettings;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;

/// Turns `DATABASE_URL` into the three settings the data source wants, and says which connections are asked whether they are there. Without it
/// there is no data source, and nothing of what stands on one.
public final class DatabaseSettings implements ConfigSourceFactory {

  // Above application.properties (250), below what an operator sets in the environment (300).
  private static final int ORDINAL = 260;

  // A function serves one event at a time: one connection for its work and one for its heartbeat.
  // There may be hundreds of functions, and a pooler in front of the database has few connections.
  private static final Set<String> FUNCTIONS = Set.of("worker", "api");
  private static final String CONNECTIONS_OF_A_FUNCTION = "2";
  // A turn borrows a connection some thirty times in a row; one that was used just before is there.
  // One that was frozen with its function may be gone, and the clock that would tell for how long
  // stood still with it: a function asks each, as application.properties has it.
  private static final String RESTED = "500ms";

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    var environment = SecretSettings.environment(context);
    var url = environment.apply("DATABASE_URL").flatMap(DatabaseUrl::parse);
    var settings = new HashMap<String, String>();
    if (isServer(context)) {
      settings.put("quarkus.datasource.jdbc.validate-on-borrow", "false");
      settings.put("quarkus.datasource.jdbc.foreground-validation-interval", RESTED);
    }
    // A role without a database starts without all that stands before one, and sooner. Whoever asks
    // for a connection there has a bug and hears of it.
    var isThere = String.valueOf(url.isPresent());
    settings.put("quarkus.datasource.active", isThere);
    settings.put("quarkus.hibernate-orm.active", isThere);
    url.ifPresent(u -> settings.put("quarkus.datasource.jdbc.url", u.jdbc()));
    url.flatMap(DatabaseUrl::user).ifPresent(u -> settings.put("quarkus.datasource.username", u));
    url.flatMap(DatabaseUrl::password)
        .ifPresent(p -> settings.put("quarkus.datasource.password", p));
    if (environment.apply("GORKIE_ROLE").filter(FUNCTIONS::contains).isPresent()) {
      settings.put("quarkus.datasource.jdbc.max-size", CONNECTIONS_OF_A_FUNCTION);
    }
    return List.of(new PropertiesConfigSource(Map.copyOf(settings), "DATABASE_URL", ORDINAL));
  }

  private static boolean isServer(ConfigSourceContext context) {
    var role = context.getValue("GORKIE_ROLE");
    return role == null
        || role.getValue() == null
        || role.getValue().isEmpty()
        || role.getValue().equals("server");
  }

  @Override
  public OptionalInt getPriority() {
    return OptionalInt.of(ORDINAL);
  }
}
