-- A signed-in user may pay one invoice with a stored method: neither by the public link nor together with others.
alter table payment_intent drop constraint payment_intent_channel_check;
alter table payment_intent add constraint payment_intent_channel_check
  check (channel in ('bulk', 'link', 'autopay', 'invoice')) not valid;
alter table payment_intent validate constraint payment_intent_channel_check;
