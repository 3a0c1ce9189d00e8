package dev.gorkie.database;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;

/// Statements in a transaction. What they are made by is looked for when the first is wanted: where there is no database, there is none
/// of it either, and the start is so much sooner.
@ApplicationScoped
public class Statements {

  private final Instance<EntityManager> entities;

  @Inject
  Statements(Instance<EntityManager> entities) {
    this.entities = entities;
  }

  public Query of(String sql) {
    return entities.get().createNativeQuery(sql);
  }

  /// @param row what a row of the answer is read as
  public Query of(String sql, Class<?> row) {
    return entities.get().createNativeQuery(sql, row);
  }
}
