-- What the workers do once a day. Whoever has the lease does it; the day is written when it is done.
create table daily_job (
  name text primary key,
  done_on date not null,
  leased_until timestamptz
);
alter table daily_job enable row level security;
alter table daily_job force row level security;
create policy system_rows on daily_job to counterfoil_system using (true) with check (true);
grant select, insert, update on daily_job to counterfoil_system;
