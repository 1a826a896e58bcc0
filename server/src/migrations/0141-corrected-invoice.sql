-- compatible
-- The number of the invoice that a credit note corrects, as the billing engine states it.
alter table invoice add column corrects text;
