-- May cards come to this server as they were typed, number and code? For companies that take them so, and only where the operator says so.
alter table reseller add column payment_raw_card boolean not null default false;
