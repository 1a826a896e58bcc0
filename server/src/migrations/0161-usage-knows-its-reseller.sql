-- Usage says whose it is (docs/decisions/0133): the seven tables of usage get the reseller of their customer, so that no policy of theirs has
-- to look into another table. They are made anew beside the old ones, which take long with many records, and take their place at the end:
-- who reads waits for an instant, loads of usage and their merging wait until it is done.

set local statement_timeout = 0;
set local timezone = 'UTC';
set local work_mem = '256MB';
set local maintenance_work_mem = '512MB';
lock table usage_record, usage_delta, usage_version, usage_day_merged, usage_day_kind_merged, usage_month_kind_merged,
  usage_month_cost_centre_merged in share row exclusive mode;

create table usage_record_new (like usage_record including defaults including constraints) partition by range (usage_at);
create table usage_delta_new (like usage_delta including constraints) with (vacuum_truncate = off);
create table usage_version_new (like usage_version including constraints);
create table usage_day_merged_new (like usage_day_merged including defaults including constraints);
create table usage_day_kind_merged_new (like usage_day_kind_merged including defaults including constraints);
create table usage_month_kind_merged_new (like usage_month_kind_merged including defaults including constraints);
create table usage_month_cost_centre_merged_new (like usage_month_cost_centre_merged including constraints);
do $$
declare name text;
begin
  foreach name in array array['usage_record', 'usage_delta', 'usage_version', 'usage_day_merged', 'usage_day_kind_merged',
    'usage_month_kind_merged', 'usage_month_cost_centre_merged'] loop
    execute format('alter table %I add column reseller_id integer not null', name || '_new');
    execute format('grant insert on %I to counterfoil_reseller', name || '_new');
  end loop;
end $$;

-- The rows of each reseller are read under its own role: row-level security also holds for the owner, and lifting it would lock readers out.
do $$
declare
  names text[] := array(select i.inhrelid::regclass::text from pg_inherits i where i.inhparent = 'usage_record'::regclass order by 1);
  ids int[];
  id int;
  name text;
  first timestamptz;
begin
  foreach name in array names loop
    execute format('create table %I (like usage_record_new including defaults including constraints)', name || '_new');
    execute format('grant insert on %I to counterfoil_reseller', name || '_new');
  end loop;
  set local role counterfoil_system;
  ids := array(select r.id from reseller r order by 1);
  set local role counterfoil_reseller;
  foreach id in array ids loop
    perform set_config('app.reseller_id', id::text, true);
    foreach name in array names loop
      first := (replace(right(name, 7), '_', '-') || '-01 00:00:00+00')::timestamptz;
      execute format('insert into %I select u.*, %s from customer c join usage_record u on u.customer_id = c.id
        where u.usage_at >= %L and u.usage_at < %L', name || '_new', id, first, first at time zone 'UTC' + interval '1 month');
    end loop;
    foreach name in array array['usage_version', 'usage_day_merged', 'usage_day_kind_merged', 'usage_month_kind_merged',
      'usage_month_cost_centre_merged', 'usage_delta'] loop
      execute format('insert into %I select u.*, %s from customer c join %I u on u.customer_id = c.id', name || '_new', id, name);
    end loop;
    update import_change c set before = c.before || jsonb_build_object('reseller_id', id) where c.table_name = 'usage_record';
  end loop;
  set local role none;
end $$;
-- A delta takes its number from the records' sequence, as the loads do that write it.
update usage_delta_new set id = nextval('usage_record_id');

-- The key is what pages are read by. Loads, undos and sums of a load find its records by their ids, which ascend as the table does.
alter table usage_record_new add primary key (customer_id, usage_at, id)
  include (service_id, record_type_id, agreement_id, service_item_id, units, price);
create index usage_record_new_item on usage_record_new (customer_id, service_item_id, usage_at, id);
create unique index usage_record_new_external_id on usage_record_new (customer_id, external_id, usage_at) where external_id is not null;
create index usage_record_load on usage_record_new using brin (id) with (autosummarize = on);
alter table usage_delta_new add primary key (customer_id, month, id);
alter table usage_version_new add primary key (customer_id);
alter table usage_day_merged_new add primary key (customer_id, day);
alter table usage_day_kind_merged_new add primary key (customer_id, day, service_id, record_type_id, agreement_id);
alter table usage_month_kind_merged_new add primary key (customer_id, month, service_id, record_type_id, agreement_id);
alter table usage_month_cost_centre_merged_new add primary key (customer_id, month, cost_centre);
do $$
declare
  name text;
  first timestamptz;
begin
  for name in select i.inhrelid::regclass::text from pg_inherits i where i.inhparent = 'usage_record'::regclass order by 1 loop
    first := (replace(right(name, 7), '_', '-') || '-01 00:00:00+00')::timestamptz;
    execute format('alter table %I enable row level security, force row level security', name || '_new');
    execute format('revoke insert on %I from counterfoil_reseller', name || '_new');
    execute format('alter table usage_record_new attach partition %I for values from (%L) to (%L)', name || '_new', first, first + interval '1 month');
  end loop;
end $$;
analyze usage_record_new, usage_delta_new, usage_version_new, usage_day_merged_new, usage_day_kind_merged_new, usage_month_kind_merged_new,
  usage_month_cost_centre_merged_new;

-- From here on readers wait. The views turn to the new tables; the loader counts now, where triggers did.
do $$
declare
  tables text[] := array['usage_record', 'usage_delta', 'usage_version', 'usage_day_merged', 'usage_day_kind_merged',
    'usage_month_kind_merged', 'usage_month_cost_centre_merged'];
  name text;
  definition text;
begin
  foreach name in array array['usage_day_part', 'usage_daily_category_delta', 'usage_month_kind_part', 'usage_month_cost_centre_part'] loop
    definition := pg_get_viewdef(name::regclass);
    definition := regexp_replace(definition, '\m(usage_delta|usage_\w+_merged)\M', '\1_new', 'g');
    execute format('create or replace view %I with (security_invoker = true) as %s', name, definition);
  end loop;
  alter sequence usage_record_id owned by usage_record_new.id;
  foreach name in array tables loop
    execute format('drop table %I', name);
  end loop;
  for name in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname ~ '^usage_.*_new' and c.relkind in ('r', 'p') loop
    execute format('alter table %I rename to %I', name, replace(name, '_new', ''));
  end loop;
  for name in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname ~ '^usage_.*_new' and c.relkind in ('i', 'I') loop
    execute format('alter index %I rename to %I', name, replace(name, '_new', ''));
  end loop;
  foreach name in array tables loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format('create policy customer_rows on %I to counterfoil_app using (customer_id = app_customer_id()) with check (customer_id = app_customer_id())', name);
    execute format('create policy reseller_rows on %I to counterfoil_reseller, counterfoil_loader using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id())', name);
    execute format('grant select on %I to counterfoil_app', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller, counterfoil_loader', name);
    -- Where usage is distributed, whoever drops a month also deletes its counters: one transaction writes as one role there.
    execute format('create policy archive_rows on %I to pg_database_owner using (current_setting(''app.archiving'', true) = ''on'')', name);
  end loop;
end $$;
revoke update on usage_record from counterfoil_reseller, counterfoil_loader; -- a record is replaced, not updated
drop function count_usage();
drop function reject_usage_update();

-- The job that merges sees whose deltas wait, not what they say.
create policy system_rows on usage_delta for select to counterfoil_system using (true);
grant select (reseller_id) on usage_delta to counterfoil_system;

-- Months are made before a load, by the schema's owner.
revoke execute on function ensure_usage_months(date, date) from counterfoil_reseller, counterfoil_loader;
