-- What operations have made and programs may fetch. The bytes are in the sandbox, under the operation and the hash.
create table artifacts (
  artifact_id  text primary key,
  operation_id text        not null references operations (operation_id) on delete cascade,
  thread_id    text        not null,
  tenant       text        not null,
  path         text        not null,
  name         text        not null,
  type         text        not null,
  bytes        bigint      not null,
  sha256       text        not null,
  created_at   timestamptz not null default clock_timestamp()
);

create index artifacts_of_operation on artifacts (operation_id);
create index artifacts_of_thread on artifacts (thread_id);
