-- Where a FOCUS file waits, row by row, until one transaction turns it into billing. Nothing here is ever shown:
-- a run that dies leaves its rows behind unseen, and the next run removes them.

create unlogged table focus_import (
  id uuid primary key,
  alive_at timestamptz not null default now() -- the last sign of life of the run that fills it
);

create unlogged table focus_row (
  import_id uuid not null references focus_import on delete cascade,
  line bigint not null,
  key text not null, -- becomes usage_record.external_id
  customer text not null,
  service text not null,
  record_type text not null, -- service, charge category and SKU as a JSON list
  category text not null,
  sku text,
  description text,
  resource text,
  resource_name text,
  site text,
  cost_centre text,
  used_at timestamptz not null,
  starts_on date not null,
  ends_on date not null,
  units numeric not null,
  price numeric not null,
  primary key (import_id, line)
);

-- The system role fills them, because the reseller may not exist yet; the reseller's role reads them and drops what it knows already.
grant select, insert, update, delete on focus_import, focus_row to counterfoil_system;
grant select, update, delete on focus_import, focus_row to counterfoil_reseller;
