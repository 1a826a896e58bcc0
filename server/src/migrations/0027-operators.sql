-- What the command line needs: taking a brand's picture away, so that brand 0's is shown again.
grant delete on brand_image to counterfoil_reseller;

-- Where a file of records waits, line by line, until one transaction makes rows of it (docs/decisions/0041). Nothing here is ever shown;
-- an import that dies leaves its lines behind unseen, and a later one removes them.
create unlogged table record_import (
  id uuid primary key,
  alive_at timestamptz not null default now() -- when it began
);
create unlogged table record_import_row (
  import_id uuid not null,
  line bigint not null,
  reason text, -- why the line is no record; then it has no values
  v jsonb, -- what the line says, by field: null for an empty value, no key where it does not speak of the field
  fault text, -- the field that stands in the way of it
  named text, -- what the field says
  ids bigint[], -- what it refers to, in the order of its kind's references
  digits integer, -- of its currency
  repeats boolean not null default false, -- an earlier line says the very same
  primary key (import_id, line)
);
grant select, insert, update, delete on record_import, record_import_row to counterfoil_reseller;
grant select, update on record_import_row to counterfoil_system;

-- Tells the planner how many lines came, which otherwise takes them for a handful.
create function measure_record_import() returns void language sql security definer set search_path = public as 'analyze record_import_row';
revoke execute on function measure_record_import() from public;
grant execute on function measure_record_import() to counterfoil_reseller;
