-- A reseller may move to another account of a payment company while payments at the former one are not final. Each account is a row of its
-- own, and payments, stored methods and the company's customers belong to the account at which they were made. A former account keeps its
-- sealed credentials until its last payment is final and compared; then only its name stays.
--
-- What there is belongs to the account that its reseller has at that company today. This assumes that nobody has changed to another account
-- since: which account an earlier payment was made at was not remembered. Row-level security is lifted meanwhile: it also holds for the
-- owner of a table.
alter table payment_account no force row level security;
alter table payment_attempt no force row level security;
alter table payment_method no force row level security;
alter table payment_provider_customer no force row level security;
alter table payment_discrepancy no force row level security;
alter table payment_webhook_event no force row level security;
alter table customer no force row level security;

alter table payment_account add column id bigint not null generated always as identity;
alter table payment_account add column identity text; -- what tells it from others at the same address; null: not known yet
alter table payment_account add column replaced_at timestamptz; -- since when it is not in use any more; null: in use
alter table payment_account alter column sealed drop not null; -- null: its credentials were deleted
alter table payment_account drop constraint payment_account_pkey;
alter table payment_account add primary key (reseller_id, id);
alter table payment_account add constraint payment_account_id unique (id);
alter table payment_account add check (sealed is not null or replaced_at is not null);

-- What has no account any more gets one without credentials.
insert into payment_account (reseller_id, provider, base_url, sealed, replaced_at)
select distinct used.reseller_id, used.provider, 'https://account.invalid', null::bytea, now() from (
  select reseller_id, provider from payment_attempt
  union select reseller_id, provider from payment_discrepancy
  union select c.reseller_id, m.provider from payment_method m join customer c on c.id = m.customer_id
  union select c.reseller_id, p.provider from payment_provider_customer p join customer c on c.id = p.customer_id
) used where not exists (select from payment_account a where a.reseller_id = used.reseller_id and a.provider = used.provider);

create unique index payment_account_in_use on payment_account (reseller_id, provider) where replaced_at is null;

alter table payment_attempt add column account_id bigint;
update payment_attempt p set account_id = a.id from payment_account a where a.reseller_id = p.reseller_id and a.provider = p.provider;
alter table payment_attempt alter column account_id set not null;
alter table payment_attempt add foreign key (reseller_id, account_id) references payment_account (reseller_id, id);
-- Two accounts may number their payments alike.
drop index payment_attempt_provider_ref;
create unique index payment_attempt_provider_ref on payment_attempt (account_id, provider_ref);
drop index payment_attempt_sent_at;
create index payment_attempt_sent_at on payment_attempt (account_id, sent_at) where sent_at is not null;

alter table payment_method add column account_id bigint references payment_account (id);
update payment_method m set account_id = a.id from payment_account a, customer c
where c.id = m.customer_id and a.reseller_id = c.reseller_id and a.provider = m.provider;
alter table payment_method alter column account_id set not null;
drop index payment_method_token;
drop index payment_method_default;
alter table payment_method drop column provider;
create unique index payment_method_token on payment_method (customer_id, account_id, token) where removed_at is null;
create unique index payment_method_default on payment_method (customer_id, account_id) where is_default and removed_at is null;
create index payment_method_account on payment_method (account_id);

alter table payment_provider_customer add column account_id bigint references payment_account (id);
update payment_provider_customer p set account_id = a.id from payment_account a, customer c
where c.id = p.customer_id and a.reseller_id = c.reseller_id and a.provider = p.provider;
alter table payment_provider_customer drop constraint payment_provider_customer_pkey;
alter table payment_provider_customer drop column provider;
alter table payment_provider_customer add primary key (customer_id, account_id);

alter table payment_discrepancy add column account_id bigint;
update payment_discrepancy d set account_id = a.id from payment_account a where a.reseller_id = d.reseller_id and a.provider = d.provider;
alter table payment_discrepancy drop constraint payment_discrepancy_pkey;
alter table payment_discrepancy add primary key (reseller_id, account_id, provider_ref, kind);
alter table payment_discrepancy add foreign key (reseller_id, account_id) references payment_account (reseller_id, id) on delete cascade;

-- The accounts whose secret signed a webhook event: it tells of their payments alone.
alter table payment_webhook_event add column account_ids bigint[] not null default '{}';
update payment_webhook_event e
set account_ids = array(select a.id from payment_account a where a.reseller_id = e.reseller_id and a.provider = e.provider)
where processed_at is null;

alter table payment_account force row level security;
alter table payment_attempt force row level security;
alter table payment_method force row level security;
alter table payment_provider_customer force row level security;
alter table payment_discrepancy force row level security;
alter table payment_webhook_event force row level security;
alter table customer force row level security;

-- A customer sees which account is in use, and which of its methods belong to it.
grant select (id, replaced_at) on payment_account to counterfoil_app;
grant select (account_id) on payment_attempt to counterfoil_app;
