-- Adds up what the counters of 0088 did not hold before. Loads of usage wait until it is done, about a minute for ten million records;
-- whoever reads does not wait (docs/operating.md). What was counted since 0088 is counted again, so that nothing is counted twice.

set local statement_timeout = 0;
set local work_mem = '128MB';
lock table usage_record in share row exclusive mode;

-- Each reseller's rows are counted under its own role: row-level security also holds for the owner, and lifting it would lock readers out.
do $$
declare
  ids int[];
  id int;
begin
  set local role counterfoil_system;
  ids := array(select r.id from reseller r order by 1);
  set local role counterfoil_reseller;
  foreach id in array ids loop
    perform set_config('app.reseller_id', id::text, true);
    with counted as materialized (
      select customer_id, (usage_at at time zone 'UTC')::date as day, service_id, record_type_id, coalesce(agreement_id, 0) as agreement_id,
        sum(price) as price, sum(units) as units
      from usage_record group by 1, 2, 3, 4, 5
    ), days as (
      update usage_day d set price = c.price
      from (select customer_id, day, sum(price) as price from counted group by 1, 2) c
      where d.customer_id = c.customer_id and d.day = c.day
    ), months as (
      update usage_month_kind m set price = c.price, units = c.units
      from (
        select customer_id, date_trunc('month', day::timestamp)::date as month, service_id, record_type_id, agreement_id, sum(price) as price,
          sum(units) as units
        from counted group by 1, 2, 3, 4, 5) c
      where m.customer_id = c.customer_id and m.month = c.month and m.service_id = c.service_id and m.record_type_id = c.record_type_id
        and m.agreement_id = c.agreement_id
    )
    update usage_day_kind k set price = c.price, units = c.units from counted c
    where k.customer_id = c.customer_id and k.day = c.day and k.service_id = c.service_id and k.record_type_id = c.record_type_id
      and k.agreement_id = c.agreement_id;

    insert into usage_month_cost_centre (customer_id, month, cost_centre, records)
    select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date, cost_centre, count(*)
    from usage_record where cost_centre <> '' group by 1, 2, 3
    on conflict (customer_id, month, cost_centre) do update set records = excluded.records;
  end loop;
  set local role none;
end $$;
