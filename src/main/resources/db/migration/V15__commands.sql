-- What is told to Gorkie itself. A COMMAND has been obeyed when it is written down here; NEW and COMPACT wait for their turn,
-- since what was said before them belongs to the conversation that they end or shorten.
alter table inbox drop constraint inbox_kind_check;
alter table inbox add constraint inbox_kind_check
  check (kind in ('APP_MENTION', 'MESSAGE', 'STOP', 'COMMAND', 'NEW', 'COMPACT'));

-- What people have chosen: the narrower scope counts, thread before channel before workspace; a person's is the person's.
create table preferences (
  team       text        not null,
  scope      text        not null check (scope in ('workspace', 'channel', 'thread', 'person')),
  place      text        not null default '',
  name       text        not null,
  value      text        not null,
  chosen_by  text        not null,
  chosen_at  timestamptz not null default now(),
  primary key (team, scope, place, name)
);
