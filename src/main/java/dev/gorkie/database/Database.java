package dev.gorkie.database;

import dev.gorkie.Deadline;
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
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import javax.transaction.xa.XAException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Short transactions, each with a connection of its own that is given back at its end.
@ApplicationScoped
public class Database {

  // A transaction here is a handful of statements. One that takes seconds waits for a lock nobody
  // will give up, or for a database that is away; ours is to fail then, so that the delivery is
  // tried again.
  private static final int SECONDS_MAX = 5;

  // Small tables were seen to take six on a busy machine; there are some a hundred times as large.
  private static final int SECONDS_MAX_OF_A_SEARCH = 600;

  // By then whoever knocked at a door has given it up, and a turn had better begin anew.
  private static final Duration IN_LINE = Duration.ofSeconds(10);

  // Nobody in the middle of something stands for longer than that: if there is always one, what
  // comes in is not what was begun. One a second is nothing beside the dozens that pass meanwhile.
  private static final Duration BEGINS_AFTER = IN_LINE;
  private static final Duration BEGINS_EVERY = Duration.ofSeconds(1);

  // No connection, no room for one, one that was ended from outside, one that stood still for too
  // long; one to a copy that nobody may write to, as while another takes its place; a transaction
  // that gave way to another.
  private static final List<String> LOST = List.of("08", "53", "57P", "25P03", "25006", "40");

  private static final Logger LOG = Logger.getLogger(Database.class);

  private static final String MADE_BY_OTHERS =
      "The database was made by other migrations than these, or by some that have changed since; nothing was done to it."
          + " “make dev”, started anew, empties its own.";
  private static final int WRONG_STATE = 1;

  // Looked for when they are wanted: a role that has no database starts without them.
  private final Instance<Flyway> flyway;
  private final Instance<DataSource> source;
  private final Turnstile turnstile;

  @Inject
  Database(
      Instance<Flyway> flyway,
      Instance<DataSource> source,
      @ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connections) {
    this.flyway = flyway;
    this.source = source;
    // One is kept for leases, which are renewed past the line.
    this.turnstile =
        new Turnstile(Math.max(1, connections - 1), IN_LINE, BEGINS_AFTER, BEGINS_EVERY);
  }

  /// Never call anything on a network from inside.
  public <T> T transaction(Supplier<T> work) {
    return turnstile.pass(() -> inOne(work, SECONDS_MAX));
  }

  /// The same where whole tables are read through, which takes as long as they are large. It changes nothing, so nobody waits for it.
  public <T> T search(Supplier<T> work) {
    return turnstile.pass(() -> inOne(work, SECONDS_MAX_OF_A_SEARCH));
  }

  /// The same where something begins that will ask for many more: whoever is in the middle of something goes first.
  ///
  /// @param deadline until when to stand in line
  public <T> T transactionToBegin(Deadline deadline, Supplier<T> work) {
    return turnstile.passToBegin(deadline.left(), () -> inOne(work, SECONDS_MAX));
  }

  private static <T> T inOne(Supplier<T> work, int seconds) {
    return QuarkusTransaction.requiringNew().timeout(seconds).call(work::get);
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
    return run(sql, values, first(reading));
  }

  /// The same without standing in line: for a lease, which who stands in line would lose.
  public <T> Optional<T> askAtOnce(String sql, Reading<T> reading, Object... values) {
    return inside(sql, values, first(reading));
  }

  private static <T> Execution<Optional<T>> first(Reading<T> reading) {
    return statement -> {
      try (var answer = statement.executeQuery()) {
        return answer.next() ? Optional.of(reading.of(answer)) : Optional.empty();
      }
    };
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
    return turnstile.pass(() -> inside(sql, values, execution));
  }

  private <T> T inside(String sql, Object[] values, Execution<T> execution) {
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

  /// Whether work broke off because the database could not be reached or was lost on the way, and not for what it was asked.
  public static boolean isLost(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      // A commit whose answer did not come is told by the transaction's manager, as something
      // beside.
      if (cause instanceof SQLException refused && isLost(refused)
          || Arrays.stream(cause.getSuppressed()).anyMatch(XAException.class::isInstance)) {
        return true;
      }
    }
    return false;
  }

  /// The pool has no state for it that there is no connection, only words.
  private static boolean isLost(SQLException refused) {
    var state = refused.getSQLState();
    return state == null
        ? refused instanceof SQLTransientConnectionException || isOfPool(refused.getMessage())
        : LOST.stream().anyMatch(state::startsWith);
  }

  private static boolean isOfPool(@Nullable String words) {
    return words != null && words.toLowerCase(Locale.ROOT).contains("acquisition timeout");
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
