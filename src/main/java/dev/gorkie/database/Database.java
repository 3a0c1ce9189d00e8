package dev.gorkie.database;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.PreventFurtherStepsException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;

/// Short transactions, each with a connection of its own that is given back at its end.
@ApplicationScoped
public class Database {

  // A transaction here is a handful of statements. One that takes seconds waits for a lock nobody
  // will give up, or for a database that is away; ours is to fail then, so that the delivery is
  // tried again.
  private static final int SECONDS_MAX = 5;

  private static final Logger LOG = Logger.getLogger(Database.class);

  private static final String MADE_BY_OTHERS =
      "The database was made by other migrations than these, or by some that have changed since; nothing was done to it."
          + " “make dev”, started anew, empties its own.";
  private static final int WRONG_STATE = 1;

  // Looked for when they are wanted: a role that has no database starts without them.
  private final Instance<Flyway> flyway;
  private final Instance<DataSource> source;

  @Inject
  Database(Instance<Flyway> flyway, Instance<DataSource> source) {
    this.flyway = flyway;
    this.source = source;
  }

  /// Never call anything on a network from inside.
  public <T> T transaction(Supplier<T> work) {
    return QuarkusTransaction.requiringNew().timeout(SECONDS_MAX).call(work::get);
  }

  /// Reads a row of an answer.
  @FunctionalInterface
  public interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  /// The first row of what one statement answers: part of the caller's transaction, or where there is none a transaction of its own
  /// that costs one round trip.
  ///
  /// @param values of its parameters, in their order
  public <T> Optional<T> ask(String sql, Reading<T> reading, Object... values) {
    return run(
        sql,
        values,
        statement -> {
          try (var answer = statement.executeQuery()) {
            return answer.next() ? Optional.of(reading.of(answer)) : Optional.empty();
          }
        });
  }

  /// The same of a statement that answers nothing: how many rows it has changed.
  public int tell(String sql, Object... values) {
    return run(sql, values, PreparedStatement::executeUpdate);
  }

  @FunctionalInterface
  private interface Execution<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T run(String sql, Object[] values, Execution<T> execution) {
    try (var connection = source.get().getConnection();
        var statement = connection.prepareStatement(sql)) {
      statement.setQueryTimeout(SECONDS_MAX);
      for (var at = 0; at < values.length; at++) {
        statement.setObject(at + 1, values[at]);
      }
      return execution.of(statement);
    } catch (SQLException refused) {
      throw new IllegalStateException("The database does not do what it was asked", refused);
    }
  }

  /// What one room's tables know of a thread's life.
  ///
  /// @param sql reads a time and what happened then; its only parameter is the thread's key
  public List<Happening> happenings(String sql, ThreadKey thread) {
    return run(
        sql,
        new Object[] {thread.toString()},
        question -> {
          var happenings = new ArrayList<Happening>();
          try (var answer = question.executeQuery()) {
            while (answer.next()) {
              happenings.add(
                  new Happening(
                      answer.getObject(1, OffsetDateTime.class).toInstant(), answer.getString(2)));
            }
          }
          return List.copyOf(happenings);
        });
  }

  /// Why nothing can be read or written now; empty when something can.
  public Optional<String> trouble() {
    try (var connection = source.get().getConnection();
        var question = connection.createStatement()) {
      question.setQueryTimeout(SECONDS_MAX);
      question.execute("select 1 from threads limit 1");
      return Optional.empty();
    } catch (SQLException refused) {
      // The driver's own words may hold the address, which is nobody's business at a public door.
      return Optional.of("it does not answer, or has no tables: " + refused.getSQLState());
    }
  }

  /// Whether `migrate` would do anything. Unknown, and taken for no, while the database cannot be asked.
  public boolean isBehind() {
    try {
      return flyway.get().info().pending().length > 0;
    } catch (FlywayException away) {
      LOG.warn("The database could not be asked for the version of its tables", away);
      return false;
    }
  }

  /// Brings the tables to the version this program needs. What stands against it is told to whoever started the program,
  /// as a sentence and not as a stack trace.
  public int migrate() {
    try {
      return flyway.get().migrate().migrationsExecuted;
    } catch (FlywayValidateException _) {
      throw new PreventFurtherStepsException(MADE_BY_OTHERS, WRONG_STATE);
    } catch (FlywayException refused) {
      throw new PreventFurtherStepsException(
          "The tables cannot be brought to this version. " + refused.getMessage(), WRONG_STATE);
    }
  }
}
