-- What a payment page may load follows from the addresses of the accounts in use, of all resellers at a host without a brand: one query.
create policy system_rows on payment_account for select to counterfoil_system using (true);
grant select (reseller_id, provider, base_url) on payment_account to counterfoil_system;
