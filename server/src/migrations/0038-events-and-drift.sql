-- The outbox as the billing engine reads it. Ids are given when a row is written and become visible when its transaction ends, which is
-- another order; a reader that goes on after the last id would miss rows. The place in the line is given when a row is first read.
alter table payment_outbox add column place bigint unique;
create index payment_outbox_unplaced on payment_outbox (id) where place is null;
create policy system_rows on payment_outbox to counterfoil_system using (true) with check (true);
grant select (reseller_id, id, place) on payment_outbox to counterfoil_system; -- whose turn it is, not what it says
grant update (place) on payment_outbox to counterfoil_system;

-- Where our book and the company's own list do not agree.
create table payment_drift (
  reseller_id integer not null references reseller on delete cascade,
  provider text not null,
  provider_ref text not null, -- the company's reference, or our attempt's id where the company has none
  kind text not null,
  attempt_id uuid,
  about_customer_id bigint,
  currency text not null,
  ours_minor bigint, -- null: nothing
  theirs_minor bigint,
  found_at timestamptz not null,
  closed_at timestamptz, -- null: a person must look
  closed_by text check (closed_by in ('look-up', 'agreement', 'operator')),
  reason text,
  primary key (reseller_id, provider, provider_ref, kind),
  check ((closed_at is null) = (closed_by is null))
);
create index payment_drift_open on payment_drift (reseller_id, found_at) where closed_at is null;
alter table payment_drift enable row level security;
alter table payment_drift force row level security;
create policy reseller_rows on payment_drift to counterfoil_reseller using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
grant select, insert, update on payment_drift to counterfoil_reseller;
create index payment_attempt_sent_at on payment_attempt (reseller_id, provider, sent_at) where sent_at is not null;
