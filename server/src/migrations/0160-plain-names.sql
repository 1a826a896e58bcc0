-- Names that say what is stored: the reference that the merchant gives a payment, a fingerprint of the method that pays, the reference with
-- which a card form began, and the daily counters of a category as they were merged and as they changed since.
alter table payment_attempt rename column our_ref to merchant_reference;
alter table payment_discrepancy rename column our_ref to merchant_reference;
alter index payment_attempt_our_ref rename to payment_attempt_merchant_reference;
alter table payment_attempt rename column method_mac to method_fingerprint;
alter table payment_intent rename column start_ref to entry_reference;
alter view usage_day_kind_part rename to usage_daily_category_delta;

-- Webhook events that wait to be processed name their payment by the same word.
alter table payment_webhook_event no force row level security;
update payment_webhook_event set subject = (subject - 'ourRef') || jsonb_build_object('merchantReference', subject -> 'ourRef')
where processed_at is null and subject ? 'ourRef';
alter table payment_webhook_event force row level security;
