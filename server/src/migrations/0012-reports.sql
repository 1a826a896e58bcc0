-- Reports: which of them a reseller offers, what has been asked for, and the files that came of it (docs/decisions/0021).

create table reseller_report (
  reseller_id integer not null references reseller on delete cascade,
  report_id integer not null,
  offered boolean not null, -- a report without a row is offered
  primary key (reseller_id, report_id)
);

-- A report that somebody asked for is a row before it is work: whoever holds its lease makes it, and when the lease runs out, anybody may.
create table report_job (
  customer_id bigint not null references customer on delete cascade,
  id uuid not null unique,
  reseller_id integer not null references reseller,
  brand_id integer not null,
  report_id integer not null,
  parameters jsonb not null,
  requested_by uuid references app_user on delete set null,
  requested_at timestamptz not null,
  status smallint not null default 10 check (status in (10, 20, 30, 40)),
  due_at timestamptz not null, -- when it may be begun: later than it was asked for after a try that failed
  tries integer not null default 0,
  lease_owner uuid, -- the worker that has it
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null, -- then the row goes, and its file with it
  path text unique check (path ~ '^[A-Za-z0-9_-]{43}$'), -- the random name that its file is fetched by
  file_name text,
  content_type text,
  size_bytes bigint,
  primary key (customer_id, id),
  check ((status = 30) = (path is not null)),
  check (path is null or (file_name is not null and content_type is not null and size_bytes is not null))
);
create index report_job_open on report_job (customer_id, requested_at) where status in (10, 20);
create index report_job_started_at on report_job (customer_id, started_at);
create index report_job_expires_at on report_job (expires_at);

-- The file of a report in pieces, so that neither writing nor reading it holds more than one of them.
create table report_chunk (
  customer_id bigint not null,
  job_id uuid not null,
  try integer not null, -- of the job: what a try that was taken over has left behind is never read
  n integer not null,
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  primary key (customer_id, job_id, try, n),
  foreign key (customer_id, job_id) references report_job (customer_id, id) on delete cascade
);
-- It is compressed already, or small.
alter table report_chunk alter column bytes set storage external;

do $$
declare name text;
begin
  foreach name in array array['reseller_report', 'report_job', 'report_chunk'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller', name);
    execute format('grant select on %I to counterfoil_app', name);
  end loop;
  foreach name in array array['report_job', 'report_chunk'] loop
    execute format('create policy customer_rows on %I to counterfoil_app using (customer_id = app_customer_id()) with check (customer_id = app_customer_id())', name);
    execute format('create policy reseller_rows on %I to counterfoil_reseller using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c))', name);
  end loop;
end $$;
create policy reseller_rows on reseller_report to counterfoil_app, counterfoil_reseller
  using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());

-- A customer asks for a report: what is asked, and nothing of what becomes of it.
grant insert (customer_id, id, reseller_id, brand_id, report_id, parameters, requested_by, requested_at, due_at, expires_at) on report_job to counterfoil_app;

-- The queue: whose turn it is, and who has what. Neither what was asked for nor any file.
create policy system_rows on report_job to counterfoil_system using (true) with check (true);
grant select (customer_id, id, reseller_id, requested_at, status, due_at, tries, lease_owner, lease_until, started_at, expires_at) on report_job to counterfoil_system;
grant update (status, due_at, tries, lease_owner, lease_until, started_at, finished_at) on report_job to counterfoil_system;
grant delete on report_job to counterfoil_system;
