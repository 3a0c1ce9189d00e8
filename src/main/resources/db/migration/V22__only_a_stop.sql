-- Where what people write while a turn runs waits for a turn of its own, only a stop is mail for a turn that waits for a person.
alter table threads add column only_stop_resumes boolean not null default false;
