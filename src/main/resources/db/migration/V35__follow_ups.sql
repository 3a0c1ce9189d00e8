-- What nobody wrote waits for a turn like a message: what was begun in the conversation has ended.
alter table inbox drop constraint inbox_kind_check;
alter table inbox add constraint inbox_kind_check
  check (kind in ('APP_MENTION', 'MESSAGE', 'STOP', 'COMMAND', 'NEW', 'COMPACT', 'FOLLOW_UP'));

-- A list with buttons is said like a text; its body is what is shown.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('card', 'text', 'file', 'list'));
