package dev.gorkie.tokens;

import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of tokens. Time is the database's alone.
@ApplicationScoped
class TokenRows {

  private final Statements statements;

  @Inject
  TokenRows(Statements statements) {
    this.statements = statements;
  }

  /// @param ahead how far the costs of what it did run ahead of the clock
  record Row(String id, String sha256, String tenant, Set<Scope> scopes, Duration ahead) {}

  void insert(
      String id, String sha256, String tenant, String name, Set<Scope> scopes, Duration lasts) {
    statements
        .of(
            """
            insert into api_tokens (token_id, sha256, tenant, name, scopes, expires_at)
            values (:id, :sha256, :tenant, :name, :scopes, clock_timestamp() + :seconds * interval '1 second')
            """)
        .setParameter("id", id)
        .setParameter("sha256", sha256)
        .setParameter("tenant", tenant)
        .setParameter("name", name)
        .setParameter(
            "scopes", scopes.stream().map(Scope::wire).sorted().collect(Collectors.joining(" ")))
        .setParameter("seconds", lasts.toSeconds())
        .executeUpdate();
  }

  /// One that is good now.
  Optional<Row> find(String id) {
    return statements
        .of(
            """
            select token_id, sha256, tenant, scopes,
              (extract(epoch from paid_until - clock_timestamp()) * 1000)::bigint
            from api_tokens
            where token_id = :id and revoked_at is null and expires_at > clock_timestamp()
            """,
            Object[].class)
        .setParameter("id", id)
        .getResultList()
        .stream()
        .findFirst()
        .map(row -> row((Object[]) row));
  }

  private static Row row(Object[] row) {
    return new Row(
        (String) row[0],
        (String) row[1],
        (String) row[2],
        Stream.of(((String) row[3]).split(" ", -1))
            .flatMap(scope -> Scope.of(scope).stream())
            .collect(Collectors.toUnmodifiableSet()),
        Duration.ofMillis(millis((Number) row[4])));
  }

  private static long millis(@Nullable Number number) {
    return number == null ? 0 : Math.max(0, number.longValue());
  }

  /// False when the costs of what it did run too far ahead of the clock already.
  boolean spend(String id, Duration every, Duration ahead) {
    return 1
        == statements
            .of(
                """
                update api_tokens
                set paid_until = greatest(paid_until, clock_timestamp()) + :every * interval '1 millisecond',
                    used_at = clock_timestamp()
                where token_id = :id and paid_until <= clock_timestamp() + :ahead * interval '1 millisecond'
                """)
            .setParameter("id", id)
            .setParameter("every", every.toMillis())
            .setParameter("ahead", ahead.toMillis())
            .executeUpdate();
  }

  boolean revoke(String id) {
    return 1
        == statements
            .of(
                "update api_tokens set revoked_at = clock_timestamp() where token_id = :id and"
                    + " revoked_at is null")
            .setParameter("id", id)
            .executeUpdate();
  }

  int forget(String tenant) {
    return statements
        .of("delete from api_tokens where tenant = :tenant")
        .setParameter("tenant", tenant)
        .executeUpdate();
  }

  /// What is to be known of all that are good: id, tenant, name, scopes, until when, last used.
  List<String> lines() {
    return statements
        .of(
            """
            select format('%s  %s  %s  [%s]  until %s, %s', token_id, tenant, name, scopes,
              to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD'),
              coalesce('last used ' || to_char(used_at at time zone 'UTC', 'YYYY-MM-DD'), 'never used'))
            from api_tokens where revoked_at is null and expires_at > clock_timestamp()
            order by tenant, created_at
            """,
            String.class)
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }
}
