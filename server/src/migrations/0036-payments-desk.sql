-- What the operator's desk asks of payments: those that need a person.
create index payment_attempt_manual on payment_attempt (reseller_id, created_at) where status = 'manual';
