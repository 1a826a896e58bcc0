-- A load of usage writes each row once before it becomes a record (docs/decisions/0085): the staged lines say what they refer to by number,
-- what is referred to is resolved once, and only what stands in the way of a line is noted beside it.

-- Ends a load; its tables go with it, also those of a load that began before this migration.
create or replace function close_usage_load(load uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  execute format('drop table if exists %I, %I, %I, %I', usage_load_table(load, 'line'), usage_load_table(load, 'reference'),
    usage_load_table(load, 'fault'), usage_load_table(load, 'row'));
  delete from usage_load where id = load;
end $$;

-- Begins a load, and removes what dead ones left. A load that is at work holds its tables, however long ago it gave a sign of life.
create or replace function open_usage_load(load uuid) returns void language plpgsql security definer set search_path = public set lock_timeout = '100ms' as $$
declare
  dead uuid;
  part text;
begin
  for dead in select id from usage_load where alive_at < now() - interval '6 hours' for update skip locked loop
    begin
      perform close_usage_load(dead);
    exception when lock_not_available then null;
    end;
  end loop;
  insert into usage_load (id) values (load);
  execute format($ddl$
    create unlogged table %I (
      line bigint not null,
      reason text, -- why the line is no record; then nothing else of it is here
      item integer, type integer, agreement integer, -- what it refers to: the item, its customer and service; the record type; the agreement
      customer_word text, service_word text, type_word text, agreement_word text, item_word text, -- in words, where one of them comes first
      is_again boolean, -- an earlier line may have borne the same external id
      external_id text, used_at timestamptz, service_item2 text, service_item3 text, site text, cost_centre text, units numeric, price numeric
    )$ddl$, usage_load_table(load, 'line'));
  execute format($ddl$
    create unlogged table %I (
      reference integer primary key,
      fault text, -- the field that stands in the way
      named text, -- what that field says
      customer_id bigint, service_id bigint, service_item_id bigint, -- of an item
      record_type_id bigint, agreement_id bigint -- of one of these
    )$ddl$, usage_load_table(load, 'reference'));
  execute format($ddl$
    create unlogged table %I (
      line bigint primary key,
      fault text not null, -- the field that stands in the way, or 'line'
      named text not null -- what the field says, or the reason
    )$ddl$, usage_load_table(load, 'fault'));
  foreach part in array array['line', 'reference', 'fault'] loop
    execute format('grant select, insert on %I to counterfoil_loader', usage_load_table(load, part));
  end loop;
end $$;

drop function measure_usage_load(uuid, text);

-- One statement's rows move the counters once. They are counted in one pass; what comes of it is small. `direction` is 1 for new rows and
-- -1 for rows that go.
create or replace function count_usage() returns trigger language plpgsql as $$
declare direction int := case when tg_op = 'DELETE' then -1 else 1 end;
begin
  with moved as materialized (
    select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement_id,
      direction * count(*) as records
    from changed group by 1, 2, 3, 4, 5
  ), days as (
    insert into usage_day as d (customer_id, day, records)
    select customer_id, day, sum(records)::bigint from moved group by 1, 2 order by 1, 2
    on conflict (customer_id, day) do update set records = d.records + excluded.records
  ), months as (
    insert into usage_month_kind as m (customer_id, month, service_id, record_type_id, agreement_id, records)
    select customer_id, date_trunc('month', day::timestamp)::date, service_id, record_type_id, agreement_id, sum(records)::bigint
    from moved group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (customer_id, month, service_id, record_type_id, agreement_id) do update set records = m.records + excluded.records
  ), versions as (
    insert into usage_version as v (customer_id, version) select distinct customer_id, 1 from moved order by 1
    on conflict (customer_id) do update set version = v.version + 1
  )
  insert into usage_day_kind as k (customer_id, day, service_id, record_type_id, agreement_id, records)
  select customer_id, day, service_id, record_type_id, agreement_id, records from moved order by 1, 2, 3, 4, 5
  on conflict (customer_id, day, service_id, record_type_id, agreement_id) do update set records = k.records + excluded.records;
  return null;
end $$;
