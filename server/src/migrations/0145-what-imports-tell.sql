-- compatible
-- A load of usage may correct records: it removes them, notes them as its import found them, and inserts them anew (docs/decisions/0023, 0096).
grant insert on import_change to counterfoil_loader;

-- What `import list` shows of an import; null for those of earlier versions.
alter table import add column file text, add column imported_by text, add column file_rows bigint;

-- A load counts the records before the customer's first billing period.
grant select on billing_period to counterfoil_loader;
create policy loader_rows on billing_period for select to counterfoil_loader using (customer_id in (select c.id from customer c));
