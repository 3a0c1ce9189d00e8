-- What was the last message of a thread that was read is asked when somebody claims it; so is the thread of a message that somebody
-- reacted to.
create index inbox_given on inbox (thread_id, ts) where given_at is not null;
create index outbox_said on outbox (team, channel, ts) where ts is not null;
