package dev.gorkie.campaign;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// The application's tables, read from outside over a connection that no relay sees.
final class Books implements AutoCloseable {

  private static final String AT_REST =
      """
      select (select count(*) from inbox where thread_id = ? and settled_at is not null) as settled,
             (select count(*) from inbox where thread_id = ? and settled_at is null) as waiting,
             (select count(*) from outbox o
              where o.thread_ts = split_part(?, ':', 3) and o.channel = split_part(?, ':', 2)
                and not o.left_over
                and (o.kind = 'text' and o.state in ('pending', 'sent') or o.kind = 'file' and o.state = 'sent')) as unsaid,
             (select count(*) from threads where thread_id = ? and lease_until > clock_timestamp()) as held
      """;

  private static final String RESTING =
      """
      select i.thread_id, i.settled_as
      from unnest(?, ?, ?) as last (team, channel, ts) join inbox i using (team, channel, ts)
      where i.settled_at is not null
        and not exists (select from threads t where t.thread_id = i.thread_id and t.lease_until > clock_timestamp())
        and not exists (
          select from outbox o
          where o.thread_id = i.thread_id and not o.left_over and o.kind = 'text' and o.state in ('pending', 'sent'))
      """;

  private final Connection connection;

  Books(URI url) {
    var person = url.getUserInfo().split(":");
    try {
      connection =
          DriverManager.getConnection(
              "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
              person[0],
              person[1]);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether so many messages of the thread have their outcome, and nobody is at it any more.
  boolean isAtRest(String thread, int messages) {
    var row = rows(AT_REST, thread, thread, thread, thread, thread).getFirst();
    return number(row, "settled") >= messages
        && number(row, "waiting") == 0
        && number(row, "unsaid") == 0
        && number(row, "held") == 0;
  }

  /// Those of these whose last message has its outcome, and at which nobody is any more; with that outcome.
  Map<String, String> resting(List<Talk> talks) {
    var resting = new HashMap<String, String>();
    rows(
            RESTING,
            all(talks, talk -> talk.in().slack().teamId()),
            all(talks, Talk::channelId),
            all(talks, talk -> talk.last().ts()))
        .forEach(row -> resting.put(word(row, "thread_id"), word(row, "settled_as")));
    return resting;
  }

  private static String[] all(List<Talk> talks, Function<Talk, String> which) {
    return talks.stream().map(which).toArray(String[]::new);
  }

  List<Map<String, Object>> inbox(String thread) {
    return rows(
        "select id, ts, event_id, turn_id, kind, attempts, settled_as from inbox where thread_id = ? order by ts",
        thread);
  }

  List<Map<String, Object>> turns(String thread) {
    return rows(
        """
        select turn_id, fence, state, outcome, hops, started_at, ended_at
        from turns where thread_id = ? order by started_at
        """,
        thread);
  }

  List<Map<String, Object>> outbox(String channel, String root) {
    return rows(
        """
        select subject, part, kind, state, ts, attempts, left_over, body is not null as open, fence
        from outbox where channel = ? and thread_ts = ? order by id
        """,
        channel,
        root);
  }

  List<Map<String, Object>> sessions(String thread) {
    return rows("select * from sandbox_sessions where thread_id = ?", thread);
  }

  synchronized List<Map<String, Object>> rows(String sql, Object... values) {
    try (var query = connection.prepareStatement(sql)) {
      for (var at = 0; at < values.length; at++) {
        query.setObject(at + 1, values[at]);
      }
      try (var found = query.executeQuery()) {
        var columns = found.getMetaData();
        var rows = new ArrayList<Map<String, Object>>();
        while (found.next()) {
          var row = new LinkedHashMap<String, Object>();
          for (var at = 1; at <= columns.getColumnCount(); at++) {
            row.put(
                columns.getColumnLabel(at), Objects.requireNonNullElse(found.getObject(at), ""));
          }
          rows.add(row);
        }
        return rows;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// For what a part needs to be there before it begins.
  synchronized void write(String sql, Object... values) {
    try (var statement = connection.prepareStatement(sql)) {
      for (var at = 0; at < values.length; at++) {
        statement.setObject(at + 1, values[at]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static long number(Map<String, Object> row, String column) {
    return row.get(column) instanceof Number number ? number.longValue() : 0;
  }

  static String word(Map<String, Object> row, String column) {
    return Objects.toString(row.get(column), "");
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
