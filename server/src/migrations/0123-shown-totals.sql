-- compatible
-- What a payer was shown is compared with what would be charged, also the fee: an intent keeps what it came to by each way to pay when it
-- was made, and a payment link what its page has shown lately.
alter table payment_intent add column card_total_minor bigint;
alter table payment_intent add column bank_total_minor bigint;

create table payment_link_total (
  customer_id bigint not null,
  invoice_id bigint not null,
  due_minor bigint not null, -- without a fee
  card_total_minor bigint not null,
  bank_total_minor bigint not null,
  shown_at timestamptz not null, -- last
  rejected_at timestamptz, -- a payment was refused because of it; the next reading of the page forgets it
  primary key (customer_id, invoice_id, due_minor, card_total_minor, bank_total_minor),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id) on delete cascade
);

alter table payment_link_total enable row level security;
alter table payment_link_total force row level security;
create policy customer_rows on payment_link_total to counterfoil_app
  using (customer_id = app_customer_id()) with check (customer_id = app_customer_id());
grant select, insert, update, delete on payment_link_total to counterfoil_app;
