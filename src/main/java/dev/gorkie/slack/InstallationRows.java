package dev.gorkie.slack;

import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of workspaces that have let us in. Time is the database's alone.
@ApplicationScoped
class InstallationRows {

  private final Statements statements;

  @Inject
  InstallationRows(Statements statements) {
    this.statements = statements;
  }

  /// Secrets as they are kept.
  ///
  /// @param next for what the next token is given, where tokens do not last
  /// @param left how long this one is good for
  record Held(String token, Optional<String> next, Optional<Duration> left) {}

  /// @param version counts the tokens of a place, each of which is changed into the next once
  record Row(String place, long version, Held held) {}

  void put(String place, String app, String botUser, String by, Held held) {
    statements
        .of(
            """
            insert into installations (place, app, bot_user, installed_by, token, next, expires_at)
            values (:place, :app, :bot, :by, :token, cast(:next as text),
                    clock_timestamp() + cast(:millis as bigint) * interval '1 millisecond')
            on conflict (place) do update
              set app = excluded.app, bot_user = excluded.bot_user, installed_by = excluded.installed_by,
                  token = excluded.token, next = excluded.next, expires_at = excluded.expires_at,
                  version = installations.version + 1, renewing_until = null, installed_at = clock_timestamp()
            """)
        .setParameter("place", place)
        .setParameter("app", app)
        .setParameter("bot", botUser)
        .setParameter("by", by)
        .setParameter("token", held.token())
        .setParameter("next", held.next().orElse(null))
        .setParameter("millis", millis(held))
        .executeUpdate();
  }

  private static @Nullable Long millis(Held held) {
    return held.left().map(Duration::toMillis).orElse(null);
  }

  /// The workspace's own comes before its organisation's.
  Optional<Row> find(String team) {
    return statements
        .of(
            """
            select place, version, token, next,
              (extract(epoch from expires_at - clock_timestamp()) * 1000)::bigint
            from installations
            where place in (:team, (select org from org_workspaces where team = :team))
            order by place = :team desc limit 1
            """,
            Object[].class)
        .setParameter("team", team)
        .getResultList()
        .stream()
        .findFirst()
        .map(row -> row((Object[]) row));
  }

  private static Row row(Object[] row) {
    return new Row(
        (String) row[0],
        ((Number) row[1]).longValue(),
        new Held(
            (String) row[2],
            Optional.ofNullable((String) row[3]),
            Optional.ofNullable((Number) row[4])
                .map(millis -> Duration.ofMillis(millis.longValue()))));
  }

  /// True for the one that changes this token into the next; for so long nobody else tries.
  boolean beginRenewal(Row row, Duration most) {
    return 1
        == statements
            .of(
                """
                update installations set renewing_until = clock_timestamp() + :millis * interval '1 millisecond'
                where place = :place and version = :version
                  and (renewing_until is null or renewing_until < clock_timestamp())
                """)
            .setParameter("millis", most.toMillis())
            .setParameter("place", row.place())
            .setParameter("version", row.version())
            .executeUpdate();
  }

  /// False when somebody has let us in anew meanwhile, or thrown us out.
  boolean renewed(Row row, Held held) {
    return 1
        == statements
            .of(
                """
                update installations
                set token = :token, next = cast(:next as text), version = version + 1, renewing_until = null,
                    expires_at = clock_timestamp() + cast(:millis as bigint) * interval '1 millisecond'
                where place = :place and version = :version
                """)
            .setParameter("token", held.token())
            .setParameter("next", held.next().orElse(null))
            .setParameter("millis", millis(held))
            .setParameter("place", row.place())
            .setParameter("version", row.version())
            .executeUpdate();
  }

  /// Those of which a secret does not begin so.
  List<Row> sealedOtherwise(String prefix, int most) {
    return statements
        .of(
            """
            select place, version, token, next,
              (extract(epoch from expires_at - clock_timestamp()) * 1000)::bigint
            from installations
            where not starts_with(token, :prefix) or not starts_with(next, :prefix)
            order by place limit :most
            """,
            Object[].class)
        .setParameter("prefix", prefix)
        .setParameter("most", most)
        .getResultList()
        .stream()
        .map(row -> row((Object[]) row))
        .toList();
  }

  /// The same secrets in another cover. False when they have changed meanwhile.
  boolean sealedAnew(Row row, Held held) {
    return 1
        == statements
            .of(
                """
                update installations set token = :token, next = cast(:next as text)
                where place = :place and version = :version and token = :before
                """)
            .setParameter("token", held.token())
            .setParameter("next", held.next().orElse(null))
            .setParameter("place", row.place())
            .setParameter("version", row.version())
            .setParameter("before", row.held().token())
            .executeUpdate();
  }

  void remove(String place, Instant at) {
    statements
        .of("delete from installations where place = :place and installed_at <= :at")
        .setParameter("place", place)
        .setParameter("at", at)
        .executeUpdate();
  }

  List<String> teamsOf(String place) {
    return statements
        .of(
            """
            select team from org_workspaces where org = :place
            union all select :place where not exists (select 1 from org_workspaces where org = :place)
            """,
            String.class)
        .setParameter("place", place)
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }

  void forget(String team) {
    for (var delete :
        List.of(
            "delete from installations where place = :team",
            "delete from org_workspaces where team = :team")) {
      statements.of(delete).setParameter("team", team).executeUpdate();
    }
  }

  void belongs(Origin origin) {
    statements
        .of(
            """
            insert into org_workspaces (team, org) values (:team, :org)
            on conflict (team) do update set org = excluded.org where org_workspaces.org <> excluded.org
            """)
        .setParameter("team", origin.team())
        .setParameter("org", origin.org())
        .executeUpdate();
  }
}
