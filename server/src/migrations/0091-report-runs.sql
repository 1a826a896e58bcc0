-- The list of a customer's last reports (docs/decisions/0108): why one failed, whether support asked for it, and files that have expired
-- and say so for 30 days. A file's chunks go when it expires, as before; its row stays.
alter table report_job add column by_support boolean not null default false;
alter table report_job add column failure text check (failure in ('too_large', 'gone')); -- null: anything else, which is in the log
alter table report_job add column file_deleted boolean not null default false;

create index report_job_newest on report_job (customer_id, requested_at desc, id desc);
create index report_job_file_expires_at on report_job (expires_at) where not file_deleted;

grant insert (by_support) on report_job to counterfoil_app;
grant select (file_deleted), update (failure, file_deleted) on report_job to counterfoil_system;

-- The system deletes the chunks of expired files, and reads none of them.
create policy system_rows on report_chunk to counterfoil_system using (true) with check (true);
grant select (customer_id, job_id), delete on report_chunk to counterfoil_system;
