package dev.gorkie.local.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/// The application's tables, as far as they tell of one thread. They are only read.
record Tables(DataSource database) {

  // The application has not made its tables yet, or makes others.
  private static final Set<String> NOT_THERE = Set.of("42P01", "42703");

  private static final String KEY_OF_MESSAGE =
      """
      select thread_id from inbox where channel = ? and (ts = ? or answer_ts = ?)
      order by id desc limit 1
      """;
  private static final String THREAD =
      """
      select thread_id, lease_owner, lease_until, fence, follows from threads where thread_id = ?
      """;
  private static final String INBOX =
      """
      select id, kind, ts, event_id, author, attempts, turn_id, steers, accepted_at, given_at, settled_at, settled_as
      from inbox where thread_id = ? order by id desc limit 12
      """;
  private static final String TURNS =
      """
      select turn_id, state, fence, hops, first_offset, last_offset, outcome, steps, tokens, seconds, started_at, ended_at
      from turns where thread_id = ? order by started_at desc limit 8
      """;
  private static final String OUTBOX =
      """
      select subject, part, kind, state, attempts, left_over, ts, updated_at
      from outbox where channel = ? and thread_ts = ? order by id desc limit 16
      """;
  private static final String SESSION =
      """
      select sandbox_id, sandbox_name, generation, session_id, status, journal_offset, resume_fail_count, last_error
      from sandbox_sessions where thread_id = ?
      """;

  /// The machine a thread owns, if it owns one.
  Optional<String> sandbox(String team, String channel, String rootTs) throws SQLException {
    try (var connection = database.getConnection()) {
      var key = key(connection, team, channel, rootTs);
      return rows(connection, SESSION, key).stream()
          .map(JsonObject.class::cast)
          .flatMap(row -> Optional.ofNullable(row.getString("sandbox_id")).stream())
          .findFirst();
    }
  }

  JsonObject of(String team, String channel, String rootTs) throws SQLException {
    try (var connection = database.getConnection()) {
      var key = key(connection, team, channel, rootTs);
      return new JsonObject()
          .put("key", key)
          .put("threads", rows(connection, THREAD, key))
          .put("inbox", rows(connection, INBOX, key))
          .put("turns", rows(connection, TURNS, key))
          .put("outbox", rows(connection, OUTBOX, channel, rootTs))
          .put("sessions", rows(connection, SESSION, key));
    }
  }

  /// As a message of the thread has it, since direct messages share one; before there is any, by its root.
  private static String key(Connection connection, String team, String channel, String rootTs)
      throws SQLException {
    var rows = rows(connection, KEY_OF_MESSAGE, channel, rootTs, rootTs);
    return rows.isEmpty()
        ? team + ":" + channel + ":" + rootTs
        : rows.getJsonObject(0).getString("thread_id");
  }

  private static JsonArray rows(Connection connection, String query, String... arguments)
      throws SQLException {
    try (var statement = connection.prepareStatement(query)) {
      for (var at = 0; at < arguments.length; at++) {
        statement.setString(at + 1, arguments[at]);
      }
      try (var found = statement.executeQuery()) {
        var rows = new JsonArray();
        while (found.next()) {
          rows.add(row(found));
        }
        return rows;
      }
    } catch (SQLException failure) {
      if (NOT_THERE.contains(failure.getSQLState())) {
        return new JsonArray(List.of());
      }
      throw failure;
    }
  }

  private static JsonObject row(ResultSet found) throws SQLException {
    var row = new JsonObject();
    var columns = found.getMetaData();
    for (var at = 1; at <= columns.getColumnCount(); at++) {
      var value = found.getObject(at);
      row.put(
          columns.getColumnLabel(at),
          value instanceof Timestamp time ? time.toInstant().toString() : value);
    }
    return row;
  }
}
