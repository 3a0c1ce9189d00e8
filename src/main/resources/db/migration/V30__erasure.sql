-- Workspaces that do not want us any more: what we keep of them goes then, unless somebody has let us in again.
create table departures (
  team   text        primary key,
  at     timestamptz not null,
  due_at timestamptz not null
);

-- What a person wrote, and whose turns they were, is looked up when somebody is to be forgotten.
create index inbox_of_author on inbox (team, author);
