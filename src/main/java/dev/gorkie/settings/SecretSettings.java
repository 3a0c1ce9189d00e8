package dev.gorkie.settings;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.spi.ConfigSource;

/// The secrets that the environment names, for all who ask for a setting.
public final class SecretSettings implements ConfigSourceFactory {

  // Above the environment (300), which only has the names.
  private static final int ORDINAL = 310;

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    var environment = environment(context);
    var found = new HashMap<String, String>();
    for (var setting : Setting.ALL) {
      if (Secrets.named(value(context, setting.name())).isPresent()) {
        environment.apply(setting.name()).ifPresent(secret -> found.put(setting.name(), secret));
      }
    }
    return found.isEmpty()
        ? List.of()
        : List.of(new PropertiesConfigSource(found, "AWS's parameter store", ORDINAL));
  }

  /// For those that are asked at the same time as this one, and so do not see what it has found.
  public static Function<String, Optional<String>> environment(ConfigSourceContext context) {
    return Secrets.putInto(name -> value(context, name));
  }

  private static Optional<String> value(ConfigSourceContext context, String name) {
    var value = context.getValue(name);
    return value == null ? Optional.empty() : Optional.ofNullable(value.getValue());
  }
}
