package dev.gorkie.turns;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

/// What a thread's turns came to and cost, and what was asked in them, for whoever looks into it.
@ApplicationScoped
public class PastTurns {

  private static final String STORY =
      """
      with run as (select * from turns where thread_id = ?)
      select started_at, format('turn %s begins, asked for by %s', turn_id, coalesce(asked_by, 'somebody')) from run
      union all
      select queued_at, format('turn %s waits in line', turn_id) from run where queued_at is not null
      union all
      select admitted_at, format('turn %s has its place', turn_id) from run where admitted_at is not null
      union all
      select a.asked_at, format('turn %s asks whether it may, question %s', a.turn_id, a.id)
      from approvals a where a.turn_id in (select turn_id from run)
      union all
      select coalesce(a.answered_at, a.expires_at),
        format('question %s is %s, by %s', a.id, a.state, coalesce(a.answered_by, 'nobody'))
      from approvals a where a.turn_id in (select turn_id from run) and a.state <> 'open'
      union all
      select coalesce(ended_at, clock_timestamp()),
        format('turn %s %s: fence %s, journal %s to %s, %s steps, %s tokens, cost %s, %s s, handed over %s times, suspended %s times',
          turn_id, case when state = 'ended' then 'ended as ' || coalesce(outcome, '?') else 'is running' end,
          fence, coalesce(first_offset::text, '?'), coalesce(last_offset::text, '?'), steps, tokens, cost,
          coalesce(seconds::text, '?'), hops, suspensions)
      from run
      """;

  private final Database database;

  @Inject
  PastTurns(Database database) {
    this.database = database;
  }

  public List<Happening> of(ThreadKey thread) {
    return database.happenings(STORY, thread);
  }
}
