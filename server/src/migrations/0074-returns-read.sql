-- Until when a reseller's returned debits were read at its provider, so that they are not read for a month anew every day.
alter table payment_account add column returns_read_at timestamptz;
