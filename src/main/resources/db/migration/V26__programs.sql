-- What no person wrote. Programs are answered where the operator names them, and only so often, so that two of them cannot talk
-- with each other for ever.
alter table inbox add column program boolean not null default false;
create index inbox_programs on inbox (team, author, ts) where program;
