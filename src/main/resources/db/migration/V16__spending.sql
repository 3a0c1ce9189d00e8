-- Whose turn it was and where, so that what it cost can be counted for them.
alter table turns
  add column team     text,
  add column channel  text,
  add column asked_by text;

create index turns_of_workspace on turns (team, started_at);
