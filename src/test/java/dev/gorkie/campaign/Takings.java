package dev.gorkie.campaign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Which messages a turn could see when it was claimed, and which it took: the tables themselves write it down.
///
/// The clock could not tell: a message is accepted when its transaction ends, and a claim is as old as what it has looked at.
final class Takings {

  /// Claiming raises the fence first and takes the messages then, so what was visible at the first was so at the second.
  private static final String WATCHED =
      """
      create schema campaign;
      create table campaign.arrivals (message bigint primary key, writer xid8 not null);
      create table campaign.claims (thread_id text, fence bigint, saw pg_snapshot not null, primary key (thread_id, fence));
      create table campaign.takings (
        number bigint generated always as identity primary key, message bigint not null, turn bigint not null,
        fence bigint not null, steers boolean not null, taker xid8 not null);
      create index on campaign.takings (message);

      create function campaign.arrives() returns trigger language plpgsql as $$
        begin
          insert into campaign.arrivals values (new.id, pg_current_xact_id());
          return null;
        end $$;
      create function campaign.is_claimed() returns trigger language plpgsql as $$
        begin
          insert into campaign.claims values (new.thread_id, new.fence, pg_current_snapshot());
          return null;
        end $$;
      create function campaign.is_taken() returns trigger language plpgsql as $$
        begin
          insert into campaign.takings (message, turn, fence, steers, taker)
          select new.id, new.turn_id, t.fence, new.steers, pg_current_xact_id() from threads t where t.thread_id = new.thread_id;
          return null;
        end $$;

      create trigger arrives after insert on inbox for each row execute function campaign.arrives();
      create trigger is_claimed after update of fence on threads for each row when (new.fence > old.fence)
        execute function campaign.is_claimed();
      create trigger is_taken after update of turn_id on inbox for each row
        when (old.turn_id is null and new.turn_id is not null) execute function campaign.is_taken();
      """;

  /// A stop and a command end what may be taken along, and what nobody wrote is said in nobody's middle.
  private static final String LEFT =
      """
      select f.turn, m.ts
      from inbox i
        join campaign.takings f on f.message = i.id and f.turn = i.id
        join campaign.claims c on c.thread_id = i.thread_id and c.fence = f.fence
        join inbox m on m.thread_id = i.thread_id and m.answer_ts = i.answer_ts and m.id <> i.id
        join campaign.arrivals a on a.message = m.id
        join campaign.takings t on t.message = m.id
      where i.thread_id = ? and i.kind in ('APP_MENTION', 'MESSAGE') and m.kind in ('APP_MENTION', 'MESSAGE')
        and pg_visible_in_snapshot(a.writer, c.saw)
        and (t.fence > f.fence or t.fence = f.fence and t.steers)
        and not exists (select from inbox s where s.thread_id = i.thread_id and s.kind in ('STOP', 'NEW', 'COMPACT'))
      """;

  private static final String STEERS =
      """
      select m.ts, t.number, t.turn, t.taker::text as taker
      from inbox m join campaign.takings t on t.message = m.id
      where m.thread_id = ? and t.steers
      """;

  private static final String TOLD =
      """
      select count(*) filter (where steers) as steers, count(*) filter (where not steers and message <> turn) as together,
             count(*) filter (where message = turn) as turns
      from campaign.takings
      """;

  private final Books books;

  Takings(Books books) {
    this.books = books;
  }

  /// To be called once, when the tables are there.
  static void watch(Books books) {
    books.write(WATCHED);
  }

  void tell(Figures figures) {
    var row = books.rows(TOLD).getFirst();
    row.keySet().forEach(what -> figures.count("taken as " + what, Books.number(row, what)));
  }

  /// Whatever waited when a turn was claimed comes with it; so what comes later was not there, however old it is.
  List<Violation> fromTurnToTurn(String thread) {
    return books.rows(LEFT, thread).stream()
        .map(
            row ->
                new Violation(
                    "I4",
                    "%s waited when turn %s was claimed, and did not come with it"
                        .formatted(row.get("ts"), row.get("turn"))))
        .toList();
  }

  /// Of two that came while a turn ran the older one is said first, unless it was not there yet.
  ///
  /// @param heard by Pi, in that order
  List<Violation> fromSteerToSteer(String thread, List<Told> heard) {
    var taken = new HashMap<String, Map<String, Object>>();
    books.rows(STEERS, thread).forEach(row -> taken.put(Books.word(row, "ts"), row));
    var steers = heard.stream().filter(told -> taken.containsKey(told.ts())).toList();
    var found = new ArrayList<Violation>();
    for (var at = 0; at < steers.size(); at++) {
      for (var later : steers.subList(at + 1, steers.size())) {
        var first = steers.get(at);
        if (later.ts().compareTo(first.ts()) < 0
            && wasThere(
                Objects.requireNonNull(taken.get(later.ts())),
                Objects.requireNonNull(taken.get(first.ts())))) {
          found.add(
              new Violation("I4", "Pi heard %s before %s".formatted(first.name(), later.name())));
        }
      }
    }
    return found;
  }

  /// Whether one was taken into the same turn no later than the other.
  private static boolean wasThere(Map<String, Object> one, Map<String, Object> other) {
    return Books.number(one, "turn") == Books.number(other, "turn")
        && (Books.word(one, "taker").equals(Books.word(other, "taker"))
            || Books.number(one, "number") < Books.number(other, "number"));
  }
}
