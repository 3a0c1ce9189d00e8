-- A conversation, and who works on it: owner and expiry are the lease, the fence numbers its holders.
create table threads (
  thread_id   text primary key,
  team        text        not null,
  channel     text        not null,
  root_ts     text        not null,
  follows     boolean     not null default false,
  lease_owner text,
  lease_until timestamptz,
  fence       bigint      not null default 0,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

-- A delivery that counts. Slack hands the same message over several times, as different events even;
-- the two unique indexes let it in once. A message without settled_at waits for its turn.
create table inbox (
  id          bigint generated always as identity primary key,
  thread_id   text        not null references threads (thread_id),
  app         text        not null,
  team        text        not null,
  event_id    text        not null,
  channel     text        not null,
  ts          text        not null,
  answer_ts   text        not null,
  kind        text        not null check (kind in ('APP_MENTION', 'MESSAGE')),
  author      text        not null,
  files       integer     not null,
  payload     bytea       not null,
  turn_id     bigint,
  attempts    integer     not null default 0,
  accepted_at timestamptz not null default now(),
  settled_at  timestamptz,
  settled_as  text
);

create unique index inbox_event on inbox (app, team, event_id);
create unique index inbox_message on inbox (team, channel, ts);
create index inbox_waiting on inbox (thread_id, ts) where settled_at is null;
create index inbox_of_turn on inbox (turn_id);
