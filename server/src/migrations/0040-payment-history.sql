-- What a customer is shown of its payments: with what it paid, when a new card or account is known by nothing else, and what came back.
alter table payment_attempt add column method_shown jsonb; -- brand or bank, and last digits: what may be shown of what pays
grant select (method_id, method_type, method_shown, refunded_minor, reversed_minor) on payment_attempt to counterfoil_app;
