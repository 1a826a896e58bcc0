-- One queue for everything that is done outside a request (docs/decisions/0090). A job holds ids, never personal data; what it is about
-- stays in tables of its own. Servers of an earlier version cannot work with this schema: stop them first (docs/operating.md).

create table job (
  id uuid primary key, -- of what it is about, where that has an id of its own
  kind text not null,
  key text not null default '', -- jobs of one key take turns with those of others
  payload jsonb not null default '{}',
  created_at timestamptz not null,
  run_at timestamptz not null, -- when it may be claimed; of a claimed job, when its lease expires
  worker uuid, -- the process that has claimed it
  attempts integer not null default 0,
  started_at timestamptz, -- of the last attempt
  give_up_at timestamptz, -- no retry starts later
  finished_at timestamptz, -- done, or given up with an error
  last_error text
);
create index job_open on job (kind, run_at) where finished_at is null;
create index job_open_key on job (kind, key, created_at) where finished_at is null and key <> '';
create index job_served on job (kind, key, started_at) where key <> '';
create index job_finished_at on job (finished_at) where finished_at is not null;

-- Row-level security also holds for the owner of these tables, who would see no row to take over.
alter table mail no force row level security;
alter table reset_request no force row level security;
alter table report_job no force row level security;
alter table payment_webhook_event no force row level security;
alter table daily_job no force row level security;

insert into job (id, kind, created_at, run_at, attempts, give_up_at, last_error)
select id, 'mail', queued_at, due_at, tries, worth_until, last_error from mail where due_at is not null;

insert into job (id, kind, created_at, run_at, give_up_at)
select id, 'reset-request', asked_at, asked_at, asked_at + interval '24 hours' from reset_request;

insert into job (id, kind, key, created_at, run_at, attempts, started_at, give_up_at, finished_at)
select id, 'report', customer_id, requested_at, case status when 20 then coalesce(lease_until, due_at) else due_at end, tries, started_at,
  expires_at, case when status in (30, 40) then coalesce(finished_at, requested_at) end from report_job;

insert into job (id, kind, payload, created_at, run_at, attempts, give_up_at, last_error)
select gen_random_uuid(), 'webhook-event', jsonb_build_object('resellerId', reseller_id, 'provider', provider, 'eventId', event_id), received_at, due_at,
  tries, received_at + interval '24 hours', last_error from payment_webhook_event where due_at is not null;

-- The id of a job that runs on a schedule follows from its kind.
insert into job (id, kind, created_at, run_at)
select md5(name)::uuid, name, now(), greatest((done_on + 1 + time '03:43') at time zone 'UTC', leased_until) from daily_job;

alter table mail drop column due_at, drop column worth_until, drop column tries, drop column last_error;
alter table report_job drop column due_at, drop column lease_owner, drop column lease_until, drop column started_at;
alter table payment_webhook_event drop column due_at, drop column tries, drop column last_error;
drop index report_job_open; -- the rest of the queues' indexes went with their columns
create index mail_queued_at on mail (queued_at);
drop table daily_job;
drop schema if exists pgboss cascade;

alter table mail force row level security;
alter table reset_request force row level security;
alter table report_job force row level security;
alter table payment_webhook_event force row level security;

alter table job enable row level security;
alter table job force row level security;
create policy system_rows on job to counterfoil_system using (true) with check (true);
grant select, insert, update, delete on job to counterfoil_system;
-- A customer queues its own reports, a reseller the mail that its payments cause; neither sees the queue.
create policy customer_reports on job for insert to counterfoil_app with check (kind = 'report' and key = app_customer_id()::text);
create policy reseller_mail on job for insert to counterfoil_reseller with check (kind = 'mail');
grant insert (id, kind, key, payload, created_at, run_at, give_up_at) on job to counterfoil_app, counterfoil_reseller;
