-- What somebody wants at a time, once or again and again. What it was asked for by in the agent's dialogue makes it one.
--   active  at `due_at` its conversation is gone on with, or `what` is said as it is; with a `cron` it is due again then
--   ended   done, cancelled, or nobody is there any more for whom it would be done (no_access)
-- tried_at: when somebody last wanted to do what is due.
create table tasks (
  task_id    text primary key,
  thread_id  text        not null references threads (thread_id),
  asked_as   text        not null,
  app        text        not null,
  team       text        not null,
  channel    text        not null,
  root_ts    text        not null,
  owner      text        not null,
  what       text        not null,
  plain      boolean     not null,
  cron       text,
  zone       text        not null,
  due_at     timestamptz not null,
  tried_at   timestamptz,
  times      integer     not null default 0,
  state      text        not null default 'active' check (state in ('active', 'ended')),
  ended_as   text check (ended_as in ('done', 'cancelled', 'no_access')),
  created_at timestamptz not null default clock_timestamp(),
  ended_at   timestamptz,
  check ((state = 'ended') = (ended_as is not null)),
  unique (thread_id, asked_as)
);

create index tasks_due on tasks (due_at) where state = 'active';
create index tasks_of_person on tasks (team, owner) where state = 'active';
