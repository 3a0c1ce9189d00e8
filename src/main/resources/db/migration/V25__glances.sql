-- What a person has before them in Slack while talking with us, as ids, a line each: told to the agent where the person asks it something.
create table glances (
  team   text        not null,
  person text        not null,
  seen   text        not null,
  at     timestamptz not null default clock_timestamp(),
  primary key (team, person)
);
