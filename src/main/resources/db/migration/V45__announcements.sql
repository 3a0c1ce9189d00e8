-- What a program of the operator's is to be told; a row is gone when it was taken.
create table announcements (
  id bigint generated always as identity primary key,
  event_id text not null unique,
  thread_id text not null,
  body text not null,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  made_at timestamptz not null default now()
);

create index announcements_due on announcements (due_at);
create index announcements_of_thread on announcements (thread_id);
