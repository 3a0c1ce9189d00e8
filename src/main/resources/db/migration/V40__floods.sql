-- One person is not to keep everybody else from being answered: what each has us do just now is counted with each message.
create index inbox_open_of_author on inbox (team, author) where settled_at is null;
