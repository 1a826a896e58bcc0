-- Loads of usage append deltas, which a job merges into the counters (docs/decisions/0114). `usage_day` and the others become views of both,
-- so whoever reads them gets exact numbers at every instant. The counters themselves stay as they are, under new names.

do $$
declare name text;
begin
  foreach name in array array['usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_month_cost_centre'] loop
    execute format('alter table %I rename to %I', name, name || '_merged');
    execute format('alter table %I rename constraint %I to %I', name || '_merged', name || '_pkey', name || '_merged_pkey');
  end loop;
end $$;

-- What one statement added to a customer's usage of a month, or took from it: the n-th entries of the arrays from `days` to `units` are one kind on
-- one day, those of the last two a cost centre.
create table usage_delta (
  customer_id bigint not null,
  month date not null, -- its first day
  id bigint generated always as identity,
  days date[] not null,
  service_ids bigint[] not null,
  record_type_ids bigint[] not null,
  agreement_ids bigint[] not null, -- 0: none
  records bigint[] not null, -- below 0 where records went
  prices numeric[] not null,
  units numeric[] not null,
  cost_centres text[], -- null: none
  cost_centre_records bigint[],
  primary key (customer_id, month, id)
) with (vacuum_truncate = off); -- a table that is emptied every minute would lock its readers out each time to give its pages back
alter table usage_delta enable row level security;
alter table usage_delta force row level security;
create policy customer_rows on usage_delta to counterfoil_app
  using (customer_id = app_customer_id()) with check (customer_id = app_customer_id());
create policy reseller_rows on usage_delta to counterfoil_reseller, counterfoil_loader
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c));
grant select on usage_delta to counterfoil_app;
grant select, insert, update, delete on usage_delta to counterfoil_reseller, counterfoil_loader;
-- The job sees whose deltas wait, not what they say.
create policy system_rows on usage_delta for select to counterfoil_system using (true);
grant select (customer_id) on usage_delta to counterfoil_system;

-- Counters and deltas: a day, or a kind in it, has one row or more. For whoever adds them up anyway.
create view usage_day_part with (security_invoker = true) as
select m.customer_id, m.day, m.records, m.price from usage_day_merged m
union all
select d.customer_id, k.day, k.records, k.price from usage_delta d cross join unnest(d.days, d.records, d.prices) as k (day, records, price);

create view usage_day_kind_part with (security_invoker = true) as
select m.customer_id, m.day, m.service_id, m.record_type_id, m.agreement_id, m.records, m.price, m.units from usage_day_kind_merged m
union all
select d.customer_id, k.day, k.service_id, k.record_type_id, k.agreement_id, k.records, k.price, k.units
from usage_delta d cross join unnest(d.days, d.service_ids, d.record_type_ids, d.agreement_ids, d.records, d.prices, d.units)
  as k (day, service_id, record_type_id, agreement_id, records, price, units);

create view usage_month_kind_part with (security_invoker = true) as
select m.customer_id, m.month, m.service_id, m.record_type_id, m.agreement_id, m.records, m.price, m.units from usage_month_kind_merged m
union all
select d.customer_id, d.month, k.service_id, k.record_type_id, k.agreement_id, k.records, k.price, k.units
from usage_delta d cross join unnest(d.service_ids, d.record_type_ids, d.agreement_ids, d.records, d.prices, d.units)
  as k (service_id, record_type_id, agreement_id, records, price, units);

create view usage_month_cost_centre_part with (security_invoker = true) as
select m.customer_id, m.month, m.cost_centre, m.records from usage_month_cost_centre_merged m
union all
select d.customer_id, d.month, k.cost_centre, k.records
from usage_delta d cross join unnest(d.cost_centres, d.cost_centre_records) as k (cost_centre, records);

-- The same, one row each, and none where there are no records.
create view usage_day with (security_invoker = true) as
select customer_id, day, sum(records)::bigint as records, sum(price) as price
from usage_day_part group by 1, 2 having sum(records) <> 0;

create view usage_day_kind with (security_invoker = true) as
select customer_id, day, service_id, record_type_id, agreement_id, sum(records)::bigint as records, sum(price) as price, sum(units) as units
from usage_day_kind_part group by 1, 2, 3, 4, 5 having sum(records) <> 0;

create view usage_month_kind with (security_invoker = true) as
select customer_id, month, service_id, record_type_id, agreement_id, sum(records)::bigint as records, sum(price) as price, sum(units) as units
from usage_month_kind_part group by 1, 2, 3, 4, 5 having sum(records) <> 0;

create view usage_month_cost_centre with (security_invoker = true) as
select customer_id, month, cost_centre, sum(records)::bigint as records
from usage_month_cost_centre_part group by 1, 2, 3 having sum(records) <> 0;

grant select on usage_day, usage_day_kind, usage_month_kind, usage_month_cost_centre, usage_day_part, usage_day_kind_part, usage_month_kind_part,
  usage_month_cost_centre_part to counterfoil_app, counterfoil_reseller, counterfoil_loader;

-- One statement's rows become one delta for each customer and month. `direction` is 1 for new rows and -1 for rows that go.
create or replace function count_usage() returns trigger language plpgsql as $$
declare direction int := case when tg_op = 'DELETE' then -1 else 1 end;
begin
  with kind as materialized (
    select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement_id,
      direction * count(*) as records, direction * sum(price) as price, direction * sum(units) as units
    from changed group by 1, 2, 3, 4, 5
  ), packed as (
    select customer_id, date_trunc('month', day::timestamp)::date as month, array_agg(day) as days, array_agg(service_id) as service_ids,
      array_agg(record_type_id) as record_type_ids, array_agg(agreement_id) as agreement_ids, array_agg(records) as records,
      array_agg(price) as prices, array_agg(units) as units
    from kind group by 1, 2
  ), cost_centre as (
    select customer_id, month, array_agg(cost_centre) as cost_centres, array_agg(records) as cost_centre_records
    from (
      select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date as month, cost_centre, direction * count(*) as records
      from changed where cost_centre <> '' group by 1, 2, 3) c
    group by 1, 2
  ), versions as (
    insert into usage_version as v (customer_id, version) select distinct customer_id, 1 from packed order by 1
    on conflict (customer_id) do update set version = v.version + 1
  )
  insert into usage_delta (customer_id, month, days, service_ids, record_type_ids, agreement_ids, records, prices, units, cost_centres, cost_centre_records)
  select customer_id, month, p.days, p.service_ids, p.record_type_ids, p.agreement_ids, p.records, p.prices, p.units, c.cost_centres, c.cost_centre_records
  from packed p left join cost_centre c using (customer_id, month) order by customer_id, month;
  return null;
end $$;
