-- One run for one thread. Its id is that of the first message it answers, so whoever takes over finds it again.
create table turns (
  turn_id      bigint primary key,
  thread_id    text        not null references threads (thread_id),
  fence        bigint      not null,
  state        text        not null check (state in ('running', 'ended')),
  hops         integer     not null default 0,
  prompted     boolean     not null default false,
  first_offset bigint,
  last_offset  bigint,
  card_ts      text,
  answer_ts    text,
  outcome      text,
  steps        bigint      not null default 0,
  tokens       bigint      not null default 0,
  cost         numeric(12, 6) not null default 0,
  seconds      integer generated always as (extract(epoch from ended_at - started_at)::integer) stored,
  started_at   timestamptz not null default now(),
  ended_at     timestamptz
);

create index turns_of_thread on turns (thread_id, started_at);
