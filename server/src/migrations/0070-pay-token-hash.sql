-- An invoice keeps the hash of its payment link's token (decision 0095). Every token so far was derived from the master key and the invoice's ids,
-- so that it can be shown without being stored. Changing the type rewrites the table, and no token stays in its old pages.
drop policy payment_links on invoice;
alter table invoice drop constraint invoice_pay_token_check;
alter table invoice alter column pay_token type bytea using sha256(convert_to(pay_token, 'UTF8'));
alter table invoice rename column pay_token to pay_token_hash;
alter table invoice rename constraint invoice_pay_token_key to invoice_pay_token_hash_key;
alter table invoice add constraint invoice_pay_token_hash_check check (octet_length(pay_token_hash) = 32);

-- Of invoices the system sees the one whose payment link it was given, and no other.
create policy payment_links on invoice for select to counterfoil_system
  using (pay_token_hash = decode(nullif(current_setting('app.pay_token_hash', true), ''), 'hex'));
