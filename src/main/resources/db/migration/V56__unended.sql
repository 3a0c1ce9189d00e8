-- Whether the agent may still be at a turn that is over: it was stopped, or given up, and nobody has heard that the agent did. Whoever
-- has the next turn of the thread tells the agent first.
alter table turns add column unended boolean not null default false;

create index turns_unended on turns (thread_id) where unended;
