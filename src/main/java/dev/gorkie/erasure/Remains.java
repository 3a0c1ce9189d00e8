package dev.gorkie.erasure;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Looks through every table there is, whoever made it, for what should be gone.
///
/// So a table that is added one day and that nobody thought of here is found by the first who forgets something.
@ApplicationScoped
class Remains {

  // Our own books of what was migrated, and what was counted per method.
  private static final String TABLES =
      """
      select c.table_name, c.column_name, c.data_type from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
        and c.table_name <> 'flyway_schema_history' and c.data_type in ('text', 'bytea', 'character varying')
      order by c.table_name, c.ordinal_position
      """;

  // Compressed, so that nothing is to be found in it by looking.
  private static final String PACKED = "transcripts.content";

  private final Statements statements;

  private record Column(String table, String name, boolean bytes) {
    /// In a form in which a word of letters, digits and points is itself.
    String asText() {
      var quoted = "\"" + name + "\"";
      return bytes ? "encode(" + quoted + ", 'escape')" : quoted;
    }
  }

  @Inject
  Remains(Statements statements) {
    this.statements = statements;
  }

  Map<String, Long> ofThread(ThreadKey thread) {
    // A thread's own rows say its key; what was delivered says its parts.
    return count("concat_ws('|', %s) like :key", Map.of("key", "%" + thread + "%"));
  }

  /// Where a column says this id and nothing else, or the key of the person's direct conversation. Where others speak of a person
  /// it is theirs.
  Map<String, Long> ofPerson(String team, String user) {
    return count(
        "(:user in (%1$s) or concat_ws('|', %1$s) like :direct) and concat_ws('|', %1$s) like"
            + " :team",
        Map.of(
            "user", user,
            "direct", "%" + ThreadKey.direct(team, user) + "%",
            "team", "%" + team + "%"));
  }

  Map<String, Long> ofTeam(String team) {
    return count(
        "(:team in (%1$s) or concat_ws('|', %1$s) like :key)",
        Map.of("team", team, "key", "%" + team + ":%"));
  }

  /// A tenant's name may be any word: it counts where a column says tenant, or in the key of a thread of its own.
  Map<String, Long> ofTenant(String tenant) {
    var left =
        count("concat_ws('|', %s) ~ :key", Map.of("key", "(^|[^a-z0-9])" + tenant + ":api:"));
    for (var column : columns()) {
      if (column.name().equals("tenant")) {
        var rows =
            statements
                .of("select count(*) from " + column.table() + " where tenant = :tenant")
                .setParameter("tenant", tenant)
                .getSingleResult();
        left.merge(column.table(), ((Number) rows).longValue(), Math::max);
      }
    }
    left.values().removeIf(rows -> rows == 0);
    return left;
  }

  /// What rooms have that are not told of it: rows with a thread's key, with a workspace's id, with a tenant's name.
  void clear(ThreadKey thread) {
    for (var column : columns()) {
      if (column.name().equals("thread_id") && !column.table().equals("threads")) {
        remove(column.table(), "thread_id = :id", Map.of("id", thread.toString()));
      }
    }
  }

  void clear(String team) {
    for (var column : columns()) {
      if (column.name().equals("team")) {
        remove(column.table(), "team = :team", Map.of("team", team));
      }
    }
  }

  void clearTenant(String tenant) {
    for (var column : columns()) {
      if (column.name().equals("tenant")) {
        remove(column.table(), "tenant = :tenant", Map.of("tenant", tenant));
      }
    }
  }

  void clear(String team, String user) {
    var columns = columns();
    for (var column : columns) {
      var hasTeam =
          columns.stream()
              .anyMatch(it -> it.table().equals(column.table()) && it.name().equals("team"));
      if (hasTeam && List.of("person", "user", "user_id").contains(column.name())) {
        remove(
            column.table(),
            "team = :team and \"" + column.name() + "\" = :user",
            Map.of("team", team, "user", user));
      }
    }
  }

  private void remove(String table, String where, Map<String, String> values) {
    var query = statements.of("delete from " + table + " where " + where);
    values.forEach(query::setParameter);
    query.executeUpdate();
  }

  private Map<String, Long> count(String where, Map<String, String> values) {
    var columns = columns();
    var left = new TreeMap<String, Long>();
    columns.stream()
        .map(Column::table)
        .distinct()
        .forEach(
            table -> {
              var texts =
                  columns.stream()
                      .filter(column -> column.table().equals(table))
                      .map(Column::asText)
                      .toList();
              var query =
                  statements.of(
                      "select count(*) from %s where ".formatted(table)
                          + where.formatted(String.join(", ", texts)));
              values.forEach((name, value) -> set(query, name, value));
              var count = ((Number) query.getSingleResult()).longValue();
              if (count > 0) {
                left.put(table, count);
              }
            });
    return left;
  }

  private static void set(Query query, String name, String value) {
    query.setParameter(name, value);
  }

  private List<Column> columns() {
    var columns = new ArrayList<Column>();
    for (var row : statements.of(TABLES, Object[].class).getResultList()) {
      var of = (Object[]) row;
      var column = new Column((String) of[0], (String) of[1], of[2].equals("bytea"));
      if (!(column.table() + "." + column.name()).equals(PACKED)) {
        columns.add(column);
      }
    }
    return columns;
  }
}
