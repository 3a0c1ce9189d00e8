package dev.gorkie.workbench;

import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The table of policies.
@ApplicationScoped
class PolicyRows {

  private static final String COLUMNS =
      "select tenant, name, network, memory_mb, timeout_seconds, runtimes, environment from api_policies ";

  private final Statements statements;

  @Inject
  PolicyRows(Statements statements) {
    this.statements = statements;
  }

  /// @param environment sealed
  record Row(
      String tenant,
      String name,
      Optional<String> network,
      OptionalInt memoryMb,
      OptionalInt timeoutSeconds,
      List<String> runtimes,
      Optional<String> environment) {}

  void put(Row row) {
    statements
        .of(
            """
            insert into api_policies (tenant, name, network, memory_mb, timeout_seconds, runtimes, environment)
            values (:tenant, :name, cast(:network as text), cast(:memory as integer), cast(:timeout as integer), :runtimes,
                    cast(:environment as text))
            on conflict (tenant, name) do update
              set network = excluded.network, memory_mb = excluded.memory_mb, timeout_seconds = excluded.timeout_seconds,
                  runtimes = excluded.runtimes, environment = excluded.environment, updated_at = clock_timestamp()
            """)
        .setParameter("tenant", row.tenant())
        .setParameter("name", row.name())
        .setParameter("network", row.network().orElse(null))
        .setParameter("memory", boxed(row.memoryMb()))
        .setParameter("timeout", boxed(row.timeoutSeconds()))
        .setParameter("runtimes", String.join(",", row.runtimes()))
        .setParameter("environment", row.environment().orElse(null))
        .executeUpdate();
  }

  private static @Nullable Integer boxed(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }

  Optional<Row> find(String tenant, String name) {
    return rows(
            statements
                .of(COLUMNS + "where tenant = :tenant and name = :name", Object[].class)
                .setParameter("tenant", tenant)
                .setParameter("name", name))
        .stream()
        .findFirst();
  }

  List<Row> of(String tenant) {
    return rows(
        statements
            .of(COLUMNS + "where tenant = :tenant order by name", Object[].class)
            .setParameter("tenant", tenant));
  }

  /// Those whose environment is sealed otherwise.
  List<Row> notBeginning(String beginning) {
    return rows(
        statements
            .of(
                COLUMNS
                    + "where environment is not null and not starts_with(environment, :beginning)",
                Object[].class)
            .setParameter("beginning", beginning));
  }

  /// False when it was changed meanwhile.
  boolean isResealed(Row row, String sealed) {
    return 1
        == statements
            .of(
                "update api_policies set environment = :sealed where tenant = :tenant and name = :name and"
                    + " environment = :before")
            .setParameter("sealed", sealed)
            .setParameter("tenant", row.tenant())
            .setParameter("name", row.name())
            .setParameter("before", row.environment().orElse(""))
            .executeUpdate();
  }

  int count(String tenant) {
    return of(tenant).size();
  }

  void remove(String tenant, String name) {
    statements
        .of("delete from api_policies where tenant = :tenant and name = :name")
        .setParameter("tenant", tenant)
        .setParameter("name", name)
        .executeUpdate();
  }

  int forget(String tenant) {
    return statements
        .of("delete from api_policies where tenant = :tenant")
        .setParameter("tenant", tenant)
        .executeUpdate();
  }

  private static List<Row> rows(Query query) {
    List<?> found = query.getResultList();
    return found.stream().map(row -> row((Object[]) row)).toList();
  }

  private static Row row(Object[] row) {
    var runtimes = (String) row[5];
    return new Row(
        (String) row[0],
        (String) row[1],
        Optional.ofNullable((String) row[2]),
        number((Integer) row[3]),
        number((Integer) row[4]),
        runtimes.isEmpty() ? List.of() : List.of(runtimes.split(",", -1)),
        Optional.ofNullable((String) row[6]));
  }

  private static OptionalInt number(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
