-- compatible
-- The staging table of a load has the texts that a usage record has, so that a new one is a column of usage_record alone.

-- Begins a load, and removes what dead ones left. A load that is at work holds its tables, however long ago it gave a sign of life.
create or replace function open_usage_load(load uuid) returns void language plpgsql security definer set search_path = public set lock_timeout = '100ms' as $$
declare
  dead uuid;
  part text;
  text_columns text;
begin
  for dead in select id from usage_load where alive_at < now() - interval '6 hours' for update skip locked loop
    begin
      perform close_usage_load(dead);
    exception when lock_not_available then null;
    end;
  end loop;
  insert into usage_load (id) values (load);
  select string_agg(format('%I text', attname), ', ' order by attnum) into text_columns
  from pg_attribute where attrelid = 'usage_record'::regclass and atttypid = 'text'::regtype and attnum > 0 and not attisdropped;
  execute format($ddl$
    create unlogged table %I (
      line bigint not null,
      reason text, -- why the line is no record; then nothing else of it is here
      item integer, type integer, agreement integer, -- what it refers to: the item, its customer and service; the record type; the agreement
      customer_word text, service_word text, type_word text, agreement_word text, item_word text, -- in words, where one of them comes first
      is_again boolean, -- an earlier line may have borne the same external id
      used_at timestamptz, units numeric, price numeric, %s
    )$ddl$, usage_load_table(load, 'line'), text_columns);
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
