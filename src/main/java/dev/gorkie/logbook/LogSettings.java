package dev.gorkie.logbook;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;

/// Lines of JSON in a function, where nobody reads them but by a query; plain ones elsewhere, unless they are wanted.
public final class LogSettings implements ConfigSourceFactory {

  // Above application.properties (250), below what an operator sets in the environment (300).
  private static final int ORDINAL = 260;

  private static final Set<String> FUNCTIONS = Set.of("ingress", "worker");

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    var isJson =
        value(context, "GORKIE_LOG").map("json"::equals).orElse(false)
            || value(context, "GORKIE_ROLE").map(FUNCTIONS::contains).orElse(false);
    var settings = Map.of("quarkus.log.console.json.enabled", Boolean.toString(isJson));
    return List.of(new PropertiesConfigSource(settings, "GORKIE_LOG", ORDINAL));
  }

  private static Optional<String> value(ConfigSourceContext context, String name) {
    return Optional.ofNullable(context.getValue(name)).map(ConfigValue::getValue);
  }

  @Override
  public OptionalInt getPriority() {
    return OptionalInt.of(ORDINAL);
  }
}
