-- Work that goes on in a thread's sandbox when its turn is over. What it was asked for by in the agent's dialogue makes it one,
-- whoever carries that out.
--   running  until its end is heard of, by whichever way first
--   over     how: exited, stopped, limit, lost
-- told: the agent has seen the end itself, so that nothing is to be gone on with.
-- missed_at: since then its sandbox does not run; when it is so at the next look, the job is lost.
create table jobs (
  job_id        text primary key,
  thread_id     text        not null references threads (thread_id),
  asked_as      text        not null,
  sandbox_id    text        not null,
  app           text        not null,
  team          text        not null,
  channel       text        not null,
  root_ts       text        not null,
  asked_by      text        not null,
  command       text        not null,
  limit_seconds integer     not null,
  state         text        not null default 'running' check (state in ('running', 'over')),
  told          boolean     not null default false,
  stop_by       text,
  missed_at     timestamptz,
  begun_at      timestamptz not null default clock_timestamp(),
  looked_at     timestamptz not null default clock_timestamp(),
  over_at       timestamptz,
  how           text check (how in ('exited', 'stopped', 'limit', 'lost')),
  code          integer,
  check ((state = 'over') = (how is not null)),
  unique (thread_id, asked_as)
);

create index jobs_running on jobs (looked_at) where state = 'running';
create index jobs_over on jobs (over_at) where state = 'over';
