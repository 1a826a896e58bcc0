-- A repeated submission with another card, while the first waits for its bank, is another wish: what pays is remembered as a keyed hash.
alter table payment_attempt add column method_mac bytea;
