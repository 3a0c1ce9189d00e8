-- What a program calls a session: a thread of its own kind, known by the tenant's and the session's name.
-- over_at: of one that was made for a single operation; since then nobody needs it.
create table api_sessions (
  thread_id  text primary key references threads (thread_id) on delete cascade,
  tenant     text        not null,
  session    text        not null,
  ephemeral  boolean     not null,
  policy     text,
  created_at timestamptz not null default clock_timestamp(),
  used_at    timestamptz not null default clock_timestamp(),
  over_at    timestamptz,
  unique (tenant, session)
);

create index api_sessions_over on api_sessions (over_at) where over_at is not null;

-- What a program wants done in a session. It outlives the session, as long as somebody may ask what came of it.
--   open  until its outcome is known; worker and lease_until: who is at it, failures: how often that came to nothing
--   done  with a result
-- sandbox_id: where it was begun. asked_as: the key under which it was asked for, asked: the hash of what for.
create table operations (
  operation_id text primary key,
  thread_id    text        not null,
  tenant       text        not null,
  kind         text        not null,
  wish         text,
  state        text        not null default 'open' check (state in ('open', 'done')),
  worker       text,
  lease_until  timestamptz,
  failures     integer     not null default 0,
  sandbox_id   text,
  result       text,
  asked_as     text,
  asked        text,
  accepted_at  timestamptz not null default clock_timestamp(),
  done_at      timestamptz,
  check ((state = 'done') = (result is not null)),
  unique (tenant, asked_as)
);

create index operations_open on operations (lease_until) where state = 'open';
create index operations_of_thread on operations (thread_id) where state = 'open';
create index operations_done on operations (done_at) where state = 'done';
