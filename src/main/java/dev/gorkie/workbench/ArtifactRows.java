package dev.gorkie.workbench;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table of artifacts. A row is added with its operation's outcome and never changed.
@ApplicationScoped
class ArtifactRows {

  private final Statements statements;

  @Inject
  ArtifactRows(Statements statements) {
    this.statements = statements;
  }

  record Row(Artifact artifact, ThreadKey thread) {}

  void insert(ThreadKey thread, Artifact artifact) {
    statements
        .of(
            """
            insert into artifacts (artifact_id, operation_id, thread_id, tenant, path, name, type, bytes, sha256)
            values (:id, :operation, :thread, :tenant, :path, :name, :type, :bytes, :sha256)
            """)
        .setParameter("id", artifact.id())
        .setParameter("operation", artifact.operation())
        .setParameter("thread", thread.toString())
        .setParameter("tenant", thread.team())
        .setParameter("path", artifact.path())
        .setParameter("name", artifact.name())
        .setParameter("type", artifact.type())
        .setParameter("bytes", artifact.bytes())
        .setParameter("sha256", artifact.sha256())
        .executeUpdate();
  }

  Optional<Row> find(String tenant, String id) {
    List<?> found =
        statements
            .of(
                """
                select artifact_id, operation_id, path, name, type, bytes, sha256, created_at, thread_id
                from artifacts where artifact_id = :id and tenant = :tenant
                """,
                Object[].class)
            .setParameter("id", id)
            .setParameter("tenant", tenant)
            .getResultList();
    return found.stream().findFirst().map(row -> row((Object[]) row));
  }

  private static Row row(Object[] row) {
    return new Row(
        new Artifact(
            (String) row[0],
            (String) row[1],
            (String) row[2],
            (String) row[3],
            (String) row[4],
            ((Number) row[5]).longValue(),
            (String) row[6],
            (Instant) row[7]),
        ThreadKey.parse((String) row[8]));
  }

  void forget(ThreadKey thread) {
    statements
        .of("delete from artifacts where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }
}
