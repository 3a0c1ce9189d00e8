-- What Pi wrote down of a conversation, piece by piece: whole lines of its session file, compressed, images left out.
-- first_byte and bytes are the piece's place in that file, sha256 is of the file from its beginning to the piece's end, so
-- that one comparison tells whether all of it still holds. When it does not, the next piece begins at the first byte again.
-- A conversation reaches from its last headed piece to its last piece: a file that lost its head continues what was before.
create table transcripts (
  thread_id      text        not null references threads (thread_id),
  session_number integer     not null,
  seq            integer     not null,
  first_byte     bigint      not null,
  bytes          bigint      not null,
  sha256         text        not null,
  headed         boolean     not null,
  content        bytea       not null check (octet_length(content) <= 262144),
  copied_at      timestamptz not null default now(),
  primary key (thread_id, session_number, seq)
);

-- It is compressed already.
alter table transcripts alter column content set storage external;

-- seed_from: the session whose transcript this one is still to begin with. The other two are what the people in the thread
-- have not been told yet: that the files of that day are gone, and what became of the memory.
alter table sandbox_sessions
  add column seed_from       integer,
  add column untold_files_of timestamptz,
  add column untold_memory   text check (untold_memory in ('restored', 'lost'));
