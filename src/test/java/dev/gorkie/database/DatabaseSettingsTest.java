package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigValue;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseSettingsTest {

  private static final String EACH = "quarkus.datasource.jdbc.validate-on-borrow";
  private static final String RESTED = "quarkus.datasource.jdbc.foreground-validation-interval";

  @ParameterizedTest
  @CsvSource({"'', false, 500ms", "server, false, 500ms", "worker,,", "ingress,,"})
  void only_a_server_takes_a_connection_for_granted_that_was_used_just_before(
      String role, @Nullable String each, @Nullable String rested) {
    var settings = read(Map.of("GORKIE_ROLE", role, "DATABASE_URL", "postgresql://u:p@host/name"));

    assertEquals(each, settings.getValue(EACH));
    assertEquals(rested, settings.getValue(RESTED));
  }

  @Test
  void where_no_database_is_nothing_stands_before_one() {
    var without = read(Map.of("GORKIE_ROLE", "ingress"));
    var with = read(Map.of("GORKIE_ROLE", "worker", "DATABASE_URL", "postgresql://u:p@host/name"));

    for (var part : List.of("quarkus.datasource.active", "quarkus.hibernate-orm.active")) {
      assertEquals("false", without.getValue(part), part);
      assertEquals("true", with.getValue(part), part);
    }
  }

  private static ConfigSource read(Map<String, String> variables) {
    return new DatabaseSettings().getConfigSources(new Environment(variables)).iterator().next();
  }

  private record Environment(Map<String, String> variables) implements ConfigSourceContext {

    @Override
    public ConfigValue getValue(String name) {
      return ConfigValue.builder().withName(name).withValue(variables.get(name)).build();
    }

    @Override
    public Iterator<String> iterateNames() {
      return Collections.emptyIterator();
    }
  }
}
