-- What a provider knows an attempt by: made at claim in the provider's own form, since not every provider takes a UUID. An attempt so far
-- is known by its id. Row-level security is lifted meanwhile: it also holds for the owner of a table.
alter table payment_attempt add column our_ref text;
alter table payment_attempt no force row level security;
update payment_attempt set our_ref = id::text;
alter table payment_attempt force row level security;
alter table payment_attempt alter column our_ref set not null;
create unique index payment_attempt_our_ref on payment_attempt (provider, our_ref);

alter table payment_discrepancy add column our_ref text;
alter table payment_discrepancy no force row level security;
update payment_discrepancy set our_ref = coalesce(attempt_id::text, provider_ref);
alter table payment_discrepancy force row level security;
alter table payment_discrepancy alter column our_ref set not null;

-- Webhook events that wait to be processed name the attempt by our reference.
alter table payment_webhook_event no force row level security;
update payment_webhook_event set subject = (subject - 'attemptId') || jsonb_build_object('ourRef', subject->'attemptId')
where processed_at is null and subject ? 'attemptId';
alter table payment_webhook_event force row level security;

grant select (provider, our_ref) on payment_attempt to counterfoil_system;
