package dev.gorkie.preferences;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/// The table of what people have chosen.
@ApplicationScoped
class PreferenceRows {

  private final Statements statements;

  @Inject
  PreferenceRows(Statements statements) {
    this.statements = statements;
  }

  record Choice(String scope, String name, String value) {}

  List<Choice> of(ThreadKey thread, String user) {
    return statements
        .of(
            """
            select scope, name, value from preferences
            where team = :team
              and (scope, place) in (('workspace', ''), ('channel', :channel), ('thread', :thread), ('person', :person))
            """,
            Object[].class)
        .setParameter("team", thread.team())
        .setParameter("channel", thread.channel())
        .setParameter("thread", thread.toString())
        .setParameter("person", user)
        .getResultList()
        .stream()
        .map(row -> choice((Object[]) row))
        .toList();
  }

  Optional<String> find(Scope scope, String name) {
    return statements
        .of(
            "select value from preferences where team = :team and scope = :scope and place = :place and name = :name",
            String.class)
        .setParameter("team", scope.team())
        .setParameter("scope", scope.kind().wire())
        .setParameter("place", scope.place())
        .setParameter("name", name)
        .getResultList()
        .stream()
        .findFirst()
        .map(String.class::cast);
  }

  private static Choice choice(Object[] row) {
    return new Choice((String) row[0], (String) row[1], (String) row[2]);
  }

  void put(Scope scope, String name, String value, String by) {
    statements
        .of(
            """
            insert into preferences (team, scope, place, name, value, chosen_by)
            values (:team, :scope, :place, :name, :value, :by)
            on conflict (team, scope, place, name) do update
              set value = excluded.value, chosen_by = excluded.chosen_by, chosen_at = now()
            """)
        .setParameter("team", scope.team())
        .setParameter("scope", scope.kind().wire())
        .setParameter("place", scope.place())
        .setParameter("name", name)
        .setParameter("value", value)
        .setParameter("by", by)
        .executeUpdate();
  }

  void remove(Scope scope, String name) {
    statements
        .of(
            "delete from preferences where team = :team and scope = :scope and place = :place and"
                + " name = :name")
        .setParameter("team", scope.team())
        .setParameter("scope", scope.kind().wire())
        .setParameter("place", scope.place())
        .setParameter("name", name)
        .executeUpdate();
  }

  void remove(Scope scope) {
    statements
        .of("delete from preferences where team = :team and scope = :scope and place = :place")
        .setParameter("team", scope.team())
        .setParameter("scope", scope.kind().wire())
        .setParameter("place", scope.place())
        .executeUpdate();
  }

  void remove(String team) {
    statements
        .of("delete from preferences where team = :team")
        .setParameter("team", team)
        .executeUpdate();
  }

  void forgetChooser(String team, String user) {
    statements
        .of("update preferences set chosen_by = '' where team = :team and chosen_by = :user")
        .setParameter("team", team)
        .setParameter("user", user)
        .executeUpdate();
  }
}
