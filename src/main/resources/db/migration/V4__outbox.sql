-- A thing to say. It is written down before it is said, so whoever comes after says it exactly once.
--   pending    is to be said
--   sent       is being said: whether it is there, only the thread itself can tell
--   confirmed  is there, as ts or as file_id
--   ambiguous  may be there, and the thread could not be read: never said again before it was
--   refused    Slack did not take it
-- What its turn could not bring to an end is left over: the sweep looks after it, whatever its state.
-- The body is cleared as soon as nobody will need it any more; of a card it is the last state, kept until shown.
create table outbox (
  id           bigint generated always as identity primary key,
  subject      text        not null,
  part         text        not null,
  team         text        not null,
  channel      text        not null,
  thread_ts    text        not null,
  since_ts     text        not null,
  kind         text        not null check (kind in ('card', 'text', 'file')),
  state        text        not null default 'pending'
    check (state in ('pending', 'sent', 'confirmed', 'ambiguous', 'refused')),
  title        text        not null default '',
  body         text,
  hash         text        not null default '',
  ts           text,
  file_id      text,
  fence        bigint      not null,
  attempts     integer     not null default 0,
  left_over    boolean     not null default false,
  created_at   timestamptz not null default clock_timestamp(),
  updated_at   timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  unique (subject, part)
);

-- What the sweep looks after, and nothing else.
create index outbox_left_over on outbox (updated_at)
  where (left_over and state <> 'confirmed') or (kind = 'card' and body is not null);

-- What a workspace still lets us do with a method; posting is counted for each channel.
-- Until open_at nobody calls; then one does, alone until probed_until. paid_until runs ahead of the clock with each call.
create table budgets (
  team         text        not null,
  method       text        not null,
  channel      text        not null default '',
  paid_until   timestamptz not null,
  open_at      timestamptz,
  probed_until timestamptz,
  primary key (team, method, channel)
);

-- How many turns a workspace has at work is asked with every edit of a card.
create index threads_held on threads (team, lease_until) where lease_until is not null;
