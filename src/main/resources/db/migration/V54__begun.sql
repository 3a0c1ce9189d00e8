-- Since when a sandbox has what is to be done: from then on it may go on where nobody hears it.
alter table operations add column begun_at timestamptz;
