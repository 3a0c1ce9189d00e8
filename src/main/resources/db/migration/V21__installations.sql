-- A workspace, or a whole organisation, that has let us in, with the token it gave: sealed, and of no use without the operator's key.
-- Where tokens do not last, `next` is what this one is changed into another for, once: whoever is to do that says so first.
create table installations (
  place          text primary key,
  app            text        not null,
  bot_user       text        not null,
  installed_by   text        not null,
  token          text        not null,
  next           text,
  expires_at     timestamptz,
  version        bigint      not null default 0,
  renewing_until timestamptz,
  installed_at   timestamptz not null default clock_timestamp()
);

-- To which organisation a workspace belongs, as its deliveries tell, where the organisation has let us into all of its own.
create table org_workspaces (
  team text primary key,
  org  text not null
);
