-- Where a workspace has a limit of turns at work: who waits for a place since when, and who has one. The order is by how many the
-- same person has at work already, then by who came first.
alter table turns
  add column queued_at   timestamptz,
  add column admitted_at timestamptz;

create index turns_running on turns (team) where state = 'running';
