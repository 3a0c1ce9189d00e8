package dev.gorkie.inbox;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/// What came in for a thread and became of it, for whoever looks into it.
@ApplicationScoped
public class PastMail {

  private static final String STORY =
      """
      with mail as (select * from inbox where thread_id = ?)
      select t.created_at, 'the thread is begun' from threads t where t.thread_id in (select thread_id from mail)
      union all
      select accepted_at, format('%s %s of %s is taken in, event %s, %s files', lower(kind), ts, author, event_id, files)
      from mail
      union all
      select given_at, format('%s %s is given to the agent, in turn %s', lower(kind), ts, turn_id)
      from mail where given_at is not null
      union all
      select settled_at, format('%s %s is settled as %s, after %s attempts', lower(kind), ts, settled_as, attempts)
      from mail where settled_at is not null
      union all
      select clock_timestamp(), format('%s %s waits, after %s attempts', lower(kind), ts, attempts)
      from mail where settled_at is null
      union all
      select clock_timestamp(),
        format('the last fence is %s; %s', t.fence,
          case when t.lease_until > clock_timestamp() then 'somebody has the thread'
               when t.suspended_until > clock_timestamp() then 'it waits for a person'
               else 'nobody has the thread' end)
      from threads t where t.thread_id in (select thread_id from mail)
      """;

  private final Database database;
  private final Statements statements;

  @Inject
  PastMail(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  public List<Happening> of(ThreadKey thread) {
    return database.happenings(STORY, thread);
  }

  /// The thread of a message that anybody wrote in it, if it is one that came to us.
  ///
  /// @param root the message it hangs on, or itself
  public Optional<ThreadKey> threadOf(String channel, String ts, String root) {
    return database.transaction(
        () ->
            statements
                .of(
                    """
                    select thread_id from inbox
                    where channel = :channel and (ts = :ts or ts = :root or answer_ts = :root)
                    order by ts = :ts desc limit 1
                    """,
                    String.class)
                .setParameter("channel", channel)
                .setParameter("ts", ts)
                .setParameter("root", root)
                .getResultList()
                .stream()
                .map(key -> ThreadKey.parse((String) key))
                .findFirst());
  }
}
