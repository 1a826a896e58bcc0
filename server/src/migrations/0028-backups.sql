-- Tells whether a restored database and a master key belong together: a keyed hash, of which there is one.
create table master_key_mark (
  one boolean primary key default true check (one),
  mark bytea not null
);
alter table master_key_mark enable row level security;
alter table master_key_mark force row level security;
create policy system_rows on master_key_mark to counterfoil_system using (true) with check (true);
grant select, insert, update on master_key_mark to counterfoil_system;

-- Backups are made as counterfoil_backup (docs/decisions/0042). What it may read, `counterfoil backup` grants before each one, so that
-- no table and no month of usage that came meanwhile is left out.
create function open_for_backup() returns void language plpgsql as $$
declare t record;
begin
  for t in select n.nspname as schema from pg_namespace n
    where n.nspname in ('public', 'pgboss') and not has_schema_privilege('counterfoil_backup', n.oid, 'usage') loop
    execute format('grant usage on schema %I to counterfoil_backup', t.schema);
  end loop;
  for t in select c.oid, c.oid::regclass::text as name, c.relkind, c.relrowsecurity from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'S') loop
    if t.relkind = 'S' then
      if not has_sequence_privilege('counterfoil_backup', t.oid, 'select') then execute 'grant select on sequence ' || t.name || ' to counterfoil_backup'; end if;
    elsif not has_table_privilege('counterfoil_backup', t.oid, 'select') then
      execute 'grant select on ' || t.name || ' to counterfoil_backup';
    end if;
    if t.relrowsecurity and not exists (select from pg_policy p where p.polrelid = t.oid and p.polname = 'backup_rows') then
      execute 'create policy backup_rows on ' || t.name || ' for select to counterfoil_backup using (true)';
    end if;
  end loop;
end $$;
revoke execute on function open_for_backup() from public;

-- Tables that a backup would leave rows of behind.
create function closed_for_backup() returns setof text language sql stable as $$
  select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and (not has_table_privilege('counterfoil_backup', c.oid, 'select')
    or c.relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_rows'))
$$;
revoke execute on function closed_for_backup() from public;
