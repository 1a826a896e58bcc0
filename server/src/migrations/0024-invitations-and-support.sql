-- Two more links that work once: to register, seven days, and for support to sign in as a user, five minutes.

alter table one_time_link
  drop constraint one_time_link_kind_check,
  add constraint one_time_link_kind_check check (kind in ('reset', 'registration', 'support')),
  add column supporter text, -- who of support asked for it
  add column only_customer_id bigint references customer on delete cascade, -- the one customer to act for; null: as the user may
  add constraint one_time_link_supporter check ((kind = 'support') = (supporter is not null));

-- A support session says who works in it, and for which customer if for one alone.
alter table session
  add column supporter text,
  add column only_customer_id bigint references customer on delete cascade,
  add constraint session_supporter check ((kind = 'support') = (supporter is not null));
