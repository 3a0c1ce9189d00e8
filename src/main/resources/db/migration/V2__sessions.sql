-- Which machine, and which conversation of Pi on it, a thread owns.
create table sandbox_sessions (
  thread_id         text primary key references threads (thread_id),
  sandbox_id        text,
  sandbox_name      text        not null,
  generation        integer     not null default 1,
  session_id        text        not null,
  session_number    integer     not null default 1,
  status            text        not null
    check (status in ('creating', 'active', 'resuming', 'paused', 'destroyed', 'error')),
  boot_id           text,
  journal_offset    bigint      not null default 0,
  fence             bigint      not null,
  paused_at         timestamptz,
  resumed_at        timestamptz,
  destroyed_at      timestamptz,
  last_activity_at  timestamptz not null default now(),
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  resume_fail_count integer     not null default 0,
  last_error        text
);

create index sandbox_sessions_status on sandbox_sessions (status);
create index sandbox_sessions_paused_at on sandbox_sessions (paused_at);
create index sandbox_sessions_updated_at on sandbox_sessions (updated_at);
