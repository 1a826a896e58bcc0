-- The order in which methods were stored, where several were stored in one moment.
alter table payment_method add column added_no bigint not null generated always as identity;
