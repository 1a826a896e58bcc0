-- Two loads that create the same month at the same time: the second one waited for the lock, and then to_regclass still answered from the
-- catalog cache of before, so that the load failed with "relation already exists". A query of the catalog sees what was committed meanwhile.
create or replace function ensure_usage_months(first date, last date) returns void language plpgsql security definer set search_path = public as $$
declare
  month date;
  name text;
begin
  if last - first > 36600 then raise exception 'usage spans more than a hundred years' using errcode = '22008'; end if;
  for month in select usage_months_from(first, last) loop
    name := 'usage_record_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    perform pg_advisory_xact_lock(hashtext('counterfoil usage months'));
    continue when exists (select from pg_class where relname = name and relnamespace = 'public'::regnamespace);
    execute format('create table %I (like usage_record including defaults including constraints)', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('alter table usage_record attach partition %I for values from (%L) to (%L)', name,
      month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
  end loop;
end $$;
