-- What comes in while a turn runs. A stop is mail as well: it waits like a message, and ends what was asked before it.
alter table inbox drop constraint inbox_kind_check;
alter table inbox add constraint inbox_kind_check check (kind in ('APP_MENTION', 'MESSAGE', 'STOP'));

-- From then on Pi has it, and an edit or a deletion comes too late.
alter table inbox add column given_at timestamptz;
-- It came while the turn ran, as a command of its own.
alter table inbox add column steers boolean not null default false;
-- Of two edits the later one counts, in whichever order they are delivered.
alter table inbox add column edited_ts text not null default '';

-- Whether Pi has heard what began the turn is told by the journal.
alter table turns drop column prompted;
