-- A thing that the agent may do only when a person says so; its buttons carry the id and nothing else.
--   open     waits for somebody
--   allowed, refused   somebody said so
--   expired  nobody did in time, which counts as a no
--   void     its turn is over, or the agent began anew and knows nothing of it
-- told: the message says so and has no buttons any more.
create table approvals (
  id          text primary key,
  turn_id     bigint      not null references turns (turn_id),
  thread_id   text        not null references threads (thread_id),
  may_answer  text        not null,
  state       text        not null default 'open' check (state in ('open', 'allowed', 'refused', 'expired', 'void')),
  told        boolean     not null default false,
  asked_at    timestamptz not null default clock_timestamp(),
  expires_at  timestamptz not null,
  answered_by text,
  answered_at timestamptz
);

create index approvals_of_turn on approvals (turn_id);

-- Until then nobody need look after the thread, unless somebody writes or answers.
alter table threads add column suspended_until timestamptz;
create index threads_suspended on threads (suspended_until) where suspended_until is not null;

-- Like a hand-over, a wait for a person is no failed attempt.
alter table turns add column suspensions integer not null default 0;
