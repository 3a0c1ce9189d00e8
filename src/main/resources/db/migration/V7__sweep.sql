-- Whether somebody is woken by the clock to look for abandoned work; one row.
create table sweep (
  one        boolean     primary key default true check (one),
  awake      boolean     not null default false,
  changed_at timestamptz not null default now()
);

insert into sweep default values;

create index inbox_settled on inbox (settled_at) where settled_at is not null;
