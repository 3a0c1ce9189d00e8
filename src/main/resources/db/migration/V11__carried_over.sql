-- What the people in the thread have not been told yet: that the files were carried over to a newer sandbox.
alter table sandbox_sessions add column untold_carried boolean not null default false;
