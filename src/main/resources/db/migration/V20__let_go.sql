-- A worker that stands still in the middle of a transaction would keep its successor waiting at the locks. It is cut off
-- long before its lease lapses after 30 s. Set for the role, since a pooler lets no connection ask for it.
do
$$
begin
  execute format('alter role %I in database %I set idle_in_transaction_session_timeout = %L',
                 current_user, current_database(), '10s');
end
$$;

-- When machines and rows were last compared.
alter table sweep add column reconciled_at timestamptz;
