-- The counters of usage hold sums as well as numbers of records (docs/decisions/0105). They are counted anew from the records, beside the
-- old ones, and take their place at the end: who reads waits for an instant, loads of usage wait until it is done.

set local statement_timeout = 0;
set local work_mem = '256MB';
set local maintenance_work_mem = '256MB';
lock table usage_record in share row exclusive mode;

create table usage_day_sum (
  customer_id bigint not null,
  day date not null,
  records bigint not null,
  price numeric not null default 0
);
-- Units of one record type can be added up, so they stand where the record type does.
create table usage_day_kind_sum (
  customer_id bigint not null,
  day date not null,
  service_id bigint not null,
  record_type_id bigint not null,
  agreement_id bigint not null, -- 0: none
  records bigint not null,
  price numeric not null default 0,
  units numeric not null default 0
);
create table usage_month_kind_sum (
  customer_id bigint not null,
  month date not null, -- its first day
  service_id bigint not null,
  record_type_id bigint not null,
  agreement_id bigint not null,
  records bigint not null,
  price numeric not null default 0,
  units numeric not null default 0
);
-- The cost centres that a customer's records of a month name: what the filter offers.
create table usage_month_cost_centre (
  customer_id bigint not null,
  month date not null, -- its first day
  cost_centre text not null,
  records bigint not null
);
grant select, insert on usage_day_sum, usage_day_kind_sum, usage_month_kind_sum, usage_month_cost_centre to counterfoil_reseller;

-- Each reseller's records are counted under its own role: row-level security also holds for the owner, and lifting it would lock readers out.
do $$
declare
  ids int[];
  id int;
begin
  set local role counterfoil_system;
  ids := array(select r.id from reseller r order by 1);
  set local role counterfoil_reseller;
  foreach id in array ids loop
    perform set_config('app.reseller_id', id::text, true);
    insert into usage_day_kind_sum
    select customer_id, (usage_at at time zone 'UTC')::date, service_id, record_type_id, coalesce(agreement_id, 0), count(*), sum(price), sum(units)
    from usage_record group by 1, 2, 3, 4, 5;
    insert into usage_month_cost_centre
    select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date, cost_centre, count(*)
    from usage_record where cost_centre <> '' group by 1, 2, 3;
  end loop;
  insert into usage_day_sum select customer_id, day, sum(records), sum(price) from usage_day_kind_sum group by 1, 2;
  insert into usage_month_kind_sum
  select customer_id, date_trunc('month', day::timestamp)::date, service_id, record_type_id, agreement_id, sum(records), sum(price), sum(units)
  from usage_day_kind_sum group by 1, 2, 3, 4, 5;
  set local role none;
end $$;

alter table usage_day_sum add constraint usage_day_sum_pkey primary key (customer_id, day);
alter table usage_day_kind_sum add constraint usage_day_kind_sum_pkey primary key (customer_id, day, service_id, record_type_id, agreement_id);
alter table usage_month_kind_sum add constraint usage_month_kind_sum_pkey primary key (customer_id, month, service_id, record_type_id, agreement_id);
alter table usage_month_cost_centre add primary key (customer_id, month, cost_centre);
analyze usage_day_sum, usage_day_kind_sum, usage_month_kind_sum, usage_month_cost_centre;

do $$
declare name text;
begin
  foreach name in array array['usage_day', 'usage_day_kind', 'usage_month_kind'] loop
    execute format('drop table %I', name);
    execute format('alter table %I rename to %I', name || '_sum', name);
    execute format('alter table %I rename constraint %I to %I', name, name || '_sum_pkey', name || '_pkey');
  end loop;
  foreach name in array array['usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_month_cost_centre'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy customer_rows on %I to counterfoil_app using (customer_id = app_customer_id()) with check (customer_id = app_customer_id())', name);
    execute format('create policy reseller_rows on %I to counterfoil_reseller, counterfoil_loader using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c))', name);
    execute format('grant select on %I to counterfoil_app', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller, counterfoil_loader', name);
  end loop;
end $$;

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
