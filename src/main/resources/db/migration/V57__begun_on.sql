-- The machine whose journal a turn's first offset belongs to. Another one knows nothing of what was said and done there.
alter table turns add column begun_on text;
