-- What a provider gave when its own card fields began in the browser, and must get again when the intent is paid.
alter table payment_intent add column start_ref text;
