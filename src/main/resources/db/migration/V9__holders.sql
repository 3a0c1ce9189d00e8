-- Each row of a thread knows who wrote it last, and none of them that its thread was taken over since.
-- So whoever writes under a fence asks here; the lock lets no take-over pass between the question and the write.
create function holds(thread text, holder bigint) returns boolean
  language sql volatile as
$$
  select coalesce((select t.fence <= holder from threads t where t.thread_id = thread for share), true)
$$;

-- The least that a writer must have who works on a thread's rows without holding the thread.
create function fence_of(thread text) returns bigint
  language sql volatile as
$$
  select coalesce((select t.fence from threads t where t.thread_id = thread), 0)
$$;

-- A direct message's thread is the person's, not the message's under which is answered.
alter table outbox add column thread_id text;
update outbox o set thread_id = coalesce(
  (select t.thread_id from turns t where 'turn-' || t.turn_id = o.subject),
  o.team || ':' || o.channel || ':' || o.thread_ts);
alter table outbox alter column thread_id set not null;
create index outbox_of_thread on outbox (thread_id);
