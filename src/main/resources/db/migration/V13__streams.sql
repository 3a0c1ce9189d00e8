-- A text that was begun while it was still being given, and is to become its body in the end. Without a ts nobody knows where
-- it begins, if anywhere; the title is then the hash of what it began with. Without a body it is to be taken away again.
alter table outbox add column streams boolean not null default false;
