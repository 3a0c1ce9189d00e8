-- What a tenant's sandboxes are held to. The environment is sealed.
create table api_policies (
  tenant          text        not null,
  name            text        not null,
  network         text,
  memory_mb       integer,
  timeout_seconds integer,
  runtimes        text        not null default '',
  environment     text,
  updated_at      timestamptz not null default clock_timestamp(),
  primary key (tenant, name)
);
