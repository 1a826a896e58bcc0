-- A page of usage takes the names of its service items and record types from a cache of the server (docs/decisions/0111). These versions
-- move with every change of a name, in the transaction that makes it, so that a server knows when its names are out of date.
create table service_item_version (
  customer_id bigint primary key,
  version bigint not null
);
create table record_type_version (
  reseller_id integer primary key,
  version bigint not null
);

create function move_service_item_version() returns trigger language plpgsql as $$
begin
  insert into service_item_version as v (customer_id, version) select distinct customer_id, 1 from changed order by 1
  on conflict (customer_id) do update set version = v.version + 1;
  return null;
end $$;
create function move_record_type_version() returns trigger language plpgsql as $$
begin
  insert into record_type_version as v (reseller_id, version) select distinct reseller_id, 1 from changed order by 1
  on conflict (reseller_id) do update set version = v.version + 1;
  return null;
end $$;

do $$
declare name text;
begin
  foreach name in array array['service_item', 'record_type'] loop
    execute format('create trigger %1$s_added after insert on %1$I referencing new table as changed for each statement execute function move_%1$s_version()', name);
    execute format('create trigger %1$s_changed after update on %1$I referencing new table as changed for each statement execute function move_%1$s_version()', name);
    execute format('create trigger %1$s_gone after delete on %1$I referencing old table as changed for each statement execute function move_%1$s_version()', name);
    execute format('alter table %s_version enable row level security', name);
    execute format('alter table %s_version force row level security', name);
    execute format('grant select on %s_version to counterfoil_app', name);
    execute format('grant select, insert, update, delete on %s_version to counterfoil_reseller', name);
  end loop;
end $$;
grant insert, update on service_item_version to counterfoil_app; -- a customer's people describe their own service items
create policy customer_rows on service_item_version to counterfoil_app
  using (customer_id = app_customer_id()) with check (customer_id = app_customer_id());
create policy reseller_rows on service_item_version to counterfoil_reseller
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c));
create policy reseller_rows on record_type_version to counterfoil_app, counterfoil_reseller
  using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
