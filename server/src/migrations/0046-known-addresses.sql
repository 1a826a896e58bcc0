-- Where a user has signed in from by password. Tries from there are counted apart, so that strangers who use up every try of the
-- account do not keep out a program, which has no cookie to be known by (docs/decisions/0080).
create table known_address (
  subject bytea primary key, -- keyed hash of user and address: no address stands here
  user_id uuid not null references app_user on delete cascade,
  known_until timestamptz not null
);
create index known_address_user on known_address (user_id);
create index known_address_until on known_address (known_until);

alter table known_address enable row level security;
alter table known_address force row level security;
create policy system_rows on known_address to counterfoil_system using (true) with check (true);
grant select, insert, update, delete on known_address to counterfoil_system;
