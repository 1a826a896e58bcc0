-- compatible
-- The number of the invoice that a credit note corrects, as the billing engine states it.
alter table invoice add column corrects text;

-- Rows that an import before has left keep their digest: where nothing is corrected the new column is not a part of it.
create or replace function import_digest(noted jsonb) returns uuid language sql immutable parallel safe
  return md5((noted - 'selected' - case when noted -> 'corrects' = 'null' then 'corrects' else 'selected' end)::text)::uuid;
