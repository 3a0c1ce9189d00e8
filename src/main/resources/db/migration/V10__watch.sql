-- Somebody looks every few seconds for work that was left lying, until then.
alter table sweep add column watched_until timestamptz;
