-- Who did what to whom, from where. Entries are added and never changed: no role has the right to, and the triggers below refuse
-- even the schema's owner. Each entry is sealed with a keyed hash over what it says and over the entry before it, so that whoever
-- gets past the triggers is found by `counterfoil audit verify` (docs/decisions/0035). No foreign keys: the log outlives what it names.

-- One chain for each reseller; 0 is the installation's own. The row is the end of the chain, and the lock under which it grows.
create table audit_head (
  reseller_id integer primary key,
  seq bigint not null,
  seal bytea not null
);

create table audit_entry (
  reseller_id integer not null,
  seq bigint not null,
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'support', 'operator', 'system')),
  actor_id text,
  actor_name text not null,
  -- In a support session: the user in whose name the actor works.
  in_name_of_id text,
  in_name_of text,
  subject text not null,
  about_customer_id bigint,
  source text not null, -- a network address, or 'command line'
  detail text,
  before_hash bytea,
  after_hash bytea,
  previous_seal bytea not null,
  seal bytea not null,
  primary key (reseller_id, seq),
  check (seq > 0),
  check ((actor_kind = 'support') = (in_name_of_id is not null and in_name_of is not null))
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is never changed' using errcode = '42501';
end $$;

create trigger audit_entry_stays before update or delete on audit_entry for each row execute function refuse_audit_change();
create trigger audit_entry_stays_whole before truncate on audit_entry execute function refuse_audit_change();
create trigger audit_head_stays before delete on audit_head for each row execute function refuse_audit_change();
create trigger audit_head_stays_whole before truncate on audit_head execute function refuse_audit_change();
create trigger audit_head_grows before update on audit_head for each row
  when (new.reseller_id <> old.reseller_id or new.seq <> old.seq + 1) execute function refuse_audit_change();

alter table audit_head enable row level security;
alter table audit_head force row level security;
alter table audit_entry enable row level security;
alter table audit_entry force row level security;

create policy system_rows on audit_head to counterfoil_system using (true) with check (true);
create policy reseller_rows on audit_head to counterfoil_app, counterfoil_reseller
  using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
grant select, insert, update on audit_head to counterfoil_app, counterfoil_reseller, counterfoil_system;

create policy system_rows on audit_entry to counterfoil_system using (true) with check (true);
create policy reseller_rows on audit_entry to counterfoil_reseller
  using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
-- A customer's request adds entries about that customer, and reads none.
create policy customer_adds on audit_entry for insert to counterfoil_app
  with check (reseller_id = app_reseller_id() and about_customer_id = app_customer_id());
grant select, insert on audit_entry to counterfoil_reseller, counterfoil_system;
grant insert on audit_entry to counterfoil_app;
