-- Whether customers must give permission before their default method is charged. Until now nobody could set it, and without it everybody was
-- charged: resellers that exist are asked (null), and customers of a new one are asked for permission unless the reseller says otherwise.
alter table reseller alter column customer_permission_for_charging drop not null;
alter table reseller alter column customer_permission_for_charging set default true;
update reseller set customer_permission_for_charging = null where not customer_permission_for_charging;
