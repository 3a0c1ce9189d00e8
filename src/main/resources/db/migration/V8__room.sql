-- Where a machine takes no room any more, and who waits for some, since when.
alter table sandbox_sessions add column put_away_at timestamptz;
alter table sandbox_sessions add column room_wanted_at timestamptz;

create index sandbox_sessions_room_wanted on sandbox_sessions (room_wanted_at) where room_wanted_at is not null;
