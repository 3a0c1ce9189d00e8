-- The turn that the holder of the lease has in hand. It is taken out when he is done with it; where it is there and nobody has the
-- thread, somebody has to bring that turn to its end, also when all has been said and only the sign of work is left.
alter table threads add column turn_in_hand bigint;

create index threads_in_hand on threads (turn_in_hand) where turn_in_hand is not null;
