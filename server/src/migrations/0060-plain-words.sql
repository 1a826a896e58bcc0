-- Tables, columns and statuses take the words of docs/glossary.md, which the code uses. Nothing is added and nothing is lost. Servers of an
-- earlier version cannot work with this schema: stop them first (docs/operating.md).

alter table payment_notice rename to payment_webhook_event;
alter table payment_drift rename to payment_discrepancy;
alter table payment_owner rename to payment_provider_customer;
alter table payment_provider_customer rename column owner to provider_customer_id;
alter table payment_allocation rename column booked_at to recorded_at;
alter table payment_attempt rename column idle_checks to not_started_checks;

alter table sso_company rename to sso_organization;
alter table sso_domain rename column company_id to organization_id;
alter table sso_identity rename column company_id to organization_id;
alter table sso_attempt rename column company_id to organization_id;

alter table reseller rename column company_name to legal_name;
alter table reseller rename column company_number to registration_number;

alter function refuse_audit_change() rename to reject_audit_change;
alter function refuse_usage_update() rename to reject_usage_update;
alter trigger audit_entry_stays on audit_entry rename to audit_entry_no_change;
alter trigger audit_entry_stays_whole on audit_entry rename to audit_entry_no_truncate;
alter trigger audit_head_stays on audit_head rename to audit_head_no_delete;
alter trigger audit_head_stays_whole on audit_head rename to audit_head_no_truncate;
alter trigger audit_head_grows on audit_head rename to audit_head_append_only;

-- Constraints, indexes and sequences keep the names of their first table and column; these follow.
do $$
declare
  renamed record;
begin
  for renamed in
    with word (old, new, rank) as (values
      ('payment_notice', 'payment_webhook_event', 1),
      ('payment_drift', 'payment_discrepancy', 1),
      ('payment_owner_owner', 'payment_provider_customer_provider_customer_id', 1),
      ('payment_owner', 'payment_provider_customer', 2),
      ('payment_allocation_booked_at', 'payment_allocation_recorded_at', 1),
      ('payment_attempt_idle_checks', 'payment_attempt_not_started_checks', 1),
      ('sso_company', 'sso_organization', 1),
      ('company_id', 'organization_id', 2),
      ('reseller_company_name', 'reseller_legal_name', 1),
      ('reseller_company_number', 'reseller_registration_number', 1)
    ), object (kind, place, name) as (
      select 'constraint', conrelid::regclass::text, conname::text from pg_constraint
      where connamespace = current_schema()::regnamespace and conrelid <> 0
      union all
      select case relkind when 'S' then 'sequence' else 'index' end, null, relname::text from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('i', 'S')
        and not exists (select from pg_constraint where conindid = pg_class.oid and contype in ('p', 'u', 'x')) -- renamed with its constraint
    )
    select distinct on (kind, place, name) kind, place, name, replace(name, old, new) as new_name
    from object join word on position(old in name) > 0 order by kind, place, name, rank
  loop
    if renamed.kind = 'constraint' then
      execute format('alter table %s rename constraint %I to %I', renamed.place, renamed.name, renamed.new_name);
    else
      execute format('alter %s %I rename to %I', renamed.kind, renamed.name, renamed.new_name);
    end if;
  end loop;
end $$;

-- One vocabulary for what a provider says of a payment and where an attempt stands. Row-level security is lifted meanwhile: it also holds
-- for the owner of a table, who would change only the rows of roles that it inherits.
alter table payment_attempt drop constraint payment_attempt_status_check, drop constraint payment_attempt_resolved_by_check;
alter table payment_attempt no force row level security;
alter table payment_attempt_event no force row level security;

update payment_attempt set
  status = case status when 'action' then 'requires_action' when 'not-sent' then 'not_sent' else status end,
  resolved_by = case resolved_by when 'notice' then 'webhook' else resolved_by end
where status in ('action', 'not-sent') or resolved_by = 'notice';

update payment_attempt_event set
  from_status = case from_status when 'action' then 'requires_action' when 'not-sent' then 'not_sent' else from_status end,
  to_status = case to_status when 'action' then 'requires_action' when 'not-sent' then 'not_sent' else to_status end,
  source = case source when 'notice' then 'webhook' else source end,
  note = regexp_replace(note, '^by hand: ', 'manual resolution: ')
where from_status in ('action', 'not-sent') or to_status in ('action', 'not-sent') or source = 'notice' or note like 'by hand: %';

alter table payment_attempt force row level security;
alter table payment_attempt_event force row level security;
alter table payment_attempt
  add constraint payment_attempt_status_check check (status in ('created', 'submitting', 'succeeded', 'declined', 'not_sent', 'requires_action',
    'processing', 'unknown', 'expired', 'manual', 'refunded', 'reversed')),
  add constraint payment_attempt_resolved_by_check check (resolved_by in ('answer', 'return', 'webhook', 'sweep', 'operator'));
