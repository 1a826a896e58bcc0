-- The part of an amount that was more than was due of its invoice: credit of the customer. A return that takes credit first has it negative.
alter table payment_allocation add column overpaid_minor bigint not null default 0;
alter table payment_allocation add check (invoice_id is not null or overpaid_minor = 0);
create index payment_allocation_invoice on payment_allocation (customer_id, invoice_id) where invoice_id is not null;

-- What the attempt pays has changed at the billing engine, so it is given up at the provider where that is still possible.
alter table payment_attempt add column cancel_requested_at timestamptz;
