-- What a payment page may load follows from the accounts in use, not from the former ones.
grant select (replaced_at) on payment_account to counterfoil_system;
