-- The counters of usage hold sums as well as numbers of records (docs/decisions/0105). This file changes what is written from now on and
-- holds its locks for an instant; the next one counts what was there before.

alter table usage_day add column price numeric not null default 0;
-- Units of one record type can be added up, so they stand where the record type does.
alter table usage_day_kind add column price numeric not null default 0, add column units numeric not null default 0;
alter table usage_month_kind add column price numeric not null default 0, add column units numeric not null default 0;

-- The cost centres that a customer's records of a month name: what the filter offers.
create table usage_month_cost_centre (
  customer_id bigint not null,
  month date not null, -- its first day
  cost_centre text not null,
  records bigint not null,
  primary key (customer_id, month, cost_centre)
);
alter table usage_month_cost_centre enable row level security;
alter table usage_month_cost_centre force row level security;
create policy customer_rows on usage_month_cost_centre to counterfoil_app
  using (customer_id = app_customer_id()) with check (customer_id = app_customer_id());
create policy reseller_rows on usage_month_cost_centre to counterfoil_reseller, counterfoil_loader
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c));
grant select on usage_month_cost_centre to counterfoil_app;
grant select, insert, update, delete on usage_month_cost_centre to counterfoil_reseller, counterfoil_loader;

-- One statement's rows move the counters once. `direction` is 1 for new rows and -1 for rows that go.
create or replace function count_usage() returns trigger language plpgsql as $$
declare direction int := case when tg_op = 'DELETE' then -1 else 1 end;
begin
  with moved as materialized (
    select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement_id,
      direction * count(*) as records, direction * sum(price) as price, direction * sum(units) as units
    from changed group by 1, 2, 3, 4, 5
  ), days as (
    insert into usage_day as d (customer_id, day, records, price)
    select customer_id, day, sum(records)::bigint, sum(price) from moved group by 1, 2 order by 1, 2
    on conflict (customer_id, day) do update set records = d.records + excluded.records, price = d.price + excluded.price
  ), months as (
    insert into usage_month_kind as m (customer_id, month, service_id, record_type_id, agreement_id, records, price, units)
    select customer_id, date_trunc('month', day::timestamp)::date, service_id, record_type_id, agreement_id, sum(records)::bigint, sum(price), sum(units)
    from moved group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (customer_id, month, service_id, record_type_id, agreement_id)
    do update set records = m.records + excluded.records, price = m.price + excluded.price, units = m.units + excluded.units
  ), cost_centres as (
    insert into usage_month_cost_centre as c (customer_id, month, cost_centre, records)
    select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date, cost_centre, direction * count(*)
    from changed where cost_centre <> '' group by 1, 2, 3 order by 1, 2, 3
    on conflict (customer_id, month, cost_centre) do update set records = c.records + excluded.records
  ), versions as (
    insert into usage_version as v (customer_id, version) select distinct customer_id, 1 from moved order by 1
    on conflict (customer_id) do update set version = v.version + 1
  )
  insert into usage_day_kind as k (customer_id, day, service_id, record_type_id, agreement_id, records, price, units)
  select customer_id, day, service_id, record_type_id, agreement_id, records, price, units from moved order by 1, 2, 3, 4, 5
  on conflict (customer_id, day, service_id, record_type_id, agreement_id)
  do update set records = k.records + excluded.records, price = k.price + excluded.price, units = k.units + excluded.units;
  return null;
end $$;
