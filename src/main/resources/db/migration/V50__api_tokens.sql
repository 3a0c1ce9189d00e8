-- By what programs are known. Of the token itself only a hash is here.
-- paid_until runs ahead of the clock with each call, so that it tells how often the token was used just now.
create table api_tokens (
  token_id   text primary key,
  sha256     text        not null,
  tenant     text        not null,
  name       text        not null,
  scopes     text        not null,
  paid_until timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at    timestamptz
);
