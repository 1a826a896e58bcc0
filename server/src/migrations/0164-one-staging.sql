-- One list of the imports at work, whose lines wait in the staging tables of their kind until one transaction makes rows of them. Nothing
-- of it is ever shown; an import that dies leaves its lines behind unseen, and a later one removes them.
create unlogged table import_staging (
  id uuid primary key,
  alive_at timestamptz not null default now() -- when it last did something
);
grant select, update on import_staging to counterfoil_reseller, counterfoil_system;

-- What is at work now is dead: no older program runs beside this migration. Loads of usage have tables, which the next import removes.
insert into import_staging select id, '-infinity' from usage_load;
alter table focus_row drop constraint focus_row_import_id_fkey;
truncate focus_row, record_import_row;
drop function open_usage_load(uuid), close_usage_load(uuid);
drop table usage_load, record_import, focus_import;

-- Ends an import: whatever it has staged goes.
create function close_import_staging(import uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  execute format('drop table if exists %I, %I, %I', usage_load_table(import, 'line'), usage_load_table(import, 'reference'),
    usage_load_table(import, 'fault'));
  delete from focus_row where import_id = import;
  delete from record_import_row where import_id = import;
  delete from import_staging where id = import;
end $$;

-- Begins an import, and removes what dead ones left. One that is at work holds its entry or its tables, however long ago it gave a sign of life.
create function open_import_staging(import uuid) returns void language plpgsql security definer set search_path = public set lock_timeout = '100ms' as $$
declare
  dead uuid;
begin
  for dead in select id from import_staging where alive_at < now() - interval '6 hours' for update skip locked loop
    begin
      perform close_import_staging(dead);
    exception when lock_not_available then null;
    end;
  end loop;
  insert into import_staging (id) values (import);
end $$;

-- Makes the staging tables of a load of usage. Each load has its own, unlogged and without row-level security. A line has the texts that a
-- record has, so that a new one is a column of usage_record alone.
create function create_usage_staging(load uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  part text;
  text_columns text;
begin
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
    execute format('grant select, insert on %I to counterfoil_reseller', usage_load_table(load, part));
  end loop;
end $$;

revoke execute on function open_import_staging(uuid), close_import_staging(uuid), create_usage_staging(uuid) from public;
grant execute on function open_import_staging(uuid), close_import_staging(uuid) to counterfoil_reseller, counterfoil_system;
grant execute on function create_usage_staging(uuid) to counterfoil_reseller;
