-- The refund that was sent last and has no answer yet: how much of the payment, and how much would be refunded in all. It keeps a refund
-- whose answer was lost from being made twice.
alter table payment_attempt add column refund_sent_minor bigint;
alter table payment_attempt add column refund_sent_total_minor bigint;
