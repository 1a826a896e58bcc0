-- The usage store (docs/decisions/0020): monthly partitions, two indexes each, and exact counters kept by one statement trigger, so that
-- totals and pages cost the same however many rows a customer has.

alter table usage_record rename to usage_record_before;
alter table usage_record_before rename constraint usage_record_pkey to usage_record_before_pkey;
alter table usage_record_before rename constraint usage_record_customer_id_external_id_key to usage_record_before_external_id_key;
alter index usage_record_usage_at rename to usage_record_before_usage_at;
create sequence usage_record_id;
select setval('usage_record_id', greatest(1, (select coalesce(max(id), 0) + 1 from usage_record_before)), false);

-- No foreign keys: five look-ups a row are most of a load's time. The loader checks every reference in sets before it inserts.
create table usage_record (
  customer_id bigint not null,
  usage_at timestamptz not null,
  id bigint not null default nextval('usage_record_id'),
  service_item_id bigint,
  service_id bigint not null,
  record_type_id bigint not null,
  agreement_id bigint,
  units numeric not null check (scale(units) <= 18),
  price numeric not null check (scale(price) <= 18),
  service_item2 text,
  service_item3 text,
  site text,
  cost_centre text,
  external_id text
) partition by range (usage_at);

alter sequence usage_record_id owned by usage_record.id;

-- A page by date, any filter and any sort by a figure read this index alone until the 100 rows are known.
create index usage_record_page on usage_record (customer_id, usage_at, id)
  include (service_id, record_type_id, agreement_id, service_item_id, units, price);
-- One service item's records, and the walk through items by name.
create index usage_record_item on usage_record (customer_id, service_item_id, usage_at, id);
-- A record that comes again is known by its external id within its instant.
create unique index usage_record_external_id on usage_record (customer_id, external_id, usage_at) where external_id is not null;

-- How many records a customer has on a day, and of each kind on a day and in a month: what totals are summed from.
create table usage_day (
  customer_id bigint not null,
  day date not null,
  records bigint not null,
  primary key (customer_id, day)
);
create table usage_day_kind (
  customer_id bigint not null,
  day date not null,
  service_id bigint not null,
  record_type_id bigint not null,
  agreement_id bigint not null, -- 0: none
  records bigint not null,
  primary key (customer_id, day, service_id, record_type_id, agreement_id)
);
create table usage_month_kind (
  customer_id bigint not null,
  month date not null, -- its first day
  service_id bigint not null,
  record_type_id bigint not null,
  agreement_id bigint not null,
  records bigint not null,
  primary key (customer_id, month, service_id, record_type_id, agreement_id)
);
-- Moves with every change of a customer's usage: what was sorted before it is out of date.
create table usage_version (
  customer_id bigint primary key,
  version bigint not null
);

create function usage_months_from(first date, last date) returns setof date language sql immutable parallel safe
  return generate_series(date_trunc('month', first::timestamp), date_trunc('month', last::timestamp), interval '1 month')::date;

-- Makes the partitions of these months where they are missing. Runs as the schema's owner, for whoever may load usage.
create function ensure_usage_months(first date, last date) returns void language plpgsql security definer set search_path = public as $$
declare
  month date;
  name text;
begin
  if last - first > 36600 then raise exception 'usage spans more than a hundred years' using errcode = '22008'; end if;
  for month in select usage_months_from(first, last) loop
    name := 'usage_record_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    perform pg_advisory_xact_lock(hashtext('counterfoil usage months'));
    continue when to_regclass(name) is not null;
    execute format('create table %I partition of usage_record for values from (%L) to (%L)', name,
      month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;
end $$;

-- One statement's rows move the counters once. `direction` is 1 for new rows and -1 for rows that go.
create function count_usage() returns trigger language plpgsql as $$
declare direction int := case when tg_op = 'DELETE' then -1 else 1 end;
begin
  insert into usage_day_kind as k (customer_id, day, service_id, record_type_id, agreement_id, records)
  select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement, direction * count(*)
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (customer_id, day, service_id, record_type_id, agreement_id) do update set records = k.records + excluded.records;

  insert into usage_day as d (customer_id, day, records)
  select customer_id, (usage_at at time zone 'UTC')::date as day, direction * count(*) from changed group by 1, 2 order by 1, 2
  on conflict (customer_id, day) do update set records = d.records + excluded.records;

  insert into usage_month_kind as m (customer_id, month, service_id, record_type_id, agreement_id, records)
  select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date as month, service_id, record_type_id, coalesce(agreement_id, 0), direction * count(*)
  from changed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (customer_id, month, service_id, record_type_id, agreement_id) do update set records = m.records + excluded.records;

  insert into usage_version as v (customer_id, version) select distinct customer_id, 1 from changed order by 1
  on conflict (customer_id) do update set version = v.version + 1;
  return null;
end $$;

create trigger usage_record_added after insert on usage_record referencing new table as changed for each statement execute function count_usage();
create trigger usage_record_gone after delete on usage_record referencing old table as changed for each statement execute function count_usage();

-- A record is never changed in place: a correction is a delete and an insert, so that no counter is left behind.
create function refuse_usage_update() returns trigger language plpgsql as $$
begin
  raise exception 'usage records are replaced, not updated' using errcode = '0A000';
end $$;
create trigger usage_record_replaced before update on usage_record for each statement execute function refuse_usage_update();

do $$
declare name text;
begin
  foreach name in array array['usage_record', 'usage_day', 'usage_day_kind', 'usage_month_kind', 'usage_version'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy customer_rows on %I to counterfoil_app using (customer_id = app_customer_id()) with check (customer_id = app_customer_id())', name);
    execute format('create policy reseller_rows on %I to counterfoil_reseller, counterfoil_loader using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c))', name);
    execute format('grant select on %I to counterfoil_app', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller, counterfoil_loader', name);
  end loop;
end $$;
grant usage on sequence usage_record_id to counterfoil_reseller, counterfoil_loader;
grant select on sequence usage_record_id to counterfoil_app; -- an export leaves out what is loaded after it began
revoke execute on function ensure_usage_months(date, date) from public;
grant execute on function ensure_usage_months(date, date) to counterfoil_reseller, counterfoil_loader;

-- What there was before moves over, counters and all.
alter table usage_record_before no force row level security;
alter table usage_record no force row level security;
alter table usage_day no force row level security;
alter table usage_day_kind no force row level security;
alter table usage_month_kind no force row level security;
alter table usage_version no force row level security;
select ensure_usage_months(min((usage_at at time zone 'UTC')::date), max((usage_at at time zone 'UTC')::date)) from usage_record_before having count(*) > 0;
insert into usage_record (customer_id, usage_at, id, service_item_id, service_id, record_type_id, agreement_id, units, price,
  service_item2, service_item3, site, cost_centre, external_id)
select customer_id, usage_at, id, service_item_id, service_id, record_type_id, agreement_id, units, price,
  service_item2, service_item3, site, cost_centre, external_id
from usage_record_before order by customer_id, usage_at, id;
drop table usage_record_before;
alter table usage_record force row level security;
alter table usage_day force row level security;
alter table usage_day_kind force row level security;
alter table usage_month_kind force row level security;
alter table usage_version force row level security;
