-- A provider's tax charge states an amount alone: neither the rate nor what it is a part of.
alter table invoice_tax alter column rate_percent drop not null, alter column base_minor drop not null;

-- The number that the provider gave an invoice (InvoiceId in FOCUS): later charges with that number join the same invoice.
alter table invoice add column provider_number text;
create index invoice_provider_number on invoice (customer_id, provider_number) where provider_number is not null;

create index billing_transaction_invoice on billing_transaction (customer_id, invoice_id) where invoice_id is not null;

-- The exact tax charges behind an invoice's taxes. A charge that comes again is known by its external id.
create table invoice_tax_charge (
  customer_id bigint not null,
  external_id text not null,
  invoice_id bigint not null,
  name text not null,
  amount numeric not null,
  primary key (customer_id, external_id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id) on delete cascade
);
create index invoice_tax_charge_invoice on invoice_tax_charge (customer_id, invoice_id);
alter table invoice_tax_charge enable row level security;
alter table invoice_tax_charge force row level security;
create policy customer_rows on invoice_tax_charge to counterfoil_app
  using (customer_id = app_customer_id()) with check (customer_id = app_customer_id());
create policy reseller_rows on invoice_tax_charge to counterfoil_reseller
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c));
grant select on invoice_tax_charge to counterfoil_app;
grant select, insert, update, delete on invoice_tax_charge to counterfoil_reseller;

-- What a record's source says of it beyond our own columns, by the source's names.
alter table usage_record add column extras jsonb;

alter table focus_row add column invoice_number text, add column extras jsonb;
