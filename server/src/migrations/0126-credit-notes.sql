-- An open invoice with a negative amount is a credit note, and stored as one: credited, as imports store it now. Only these rows are
-- written, those of each reseller under its own role and by the keys of its customers, so that nobody else waits. What imports noted of them
-- follows, so that they can still be undone.
set local statement_timeout = 0;
set local timezone = 'UTC';
do $$
declare
  resellers int[];
  reseller int;
begin
  set local role counterfoil_system;
  resellers := array(select r.id from reseller r order by 1);
  set local role counterfoil_reseller;
  foreach reseller in array resellers loop
    perform set_config('app.reseller_id', reseller::text, true);
    with note as materialized (
      select i.customer_id, i.id, import_digest(import_row(to_jsonb(i))) as before
      from invoice i
      where i.customer_id = any (array(select c.id from customer c)) and i.status = 1 and i.amount_minor < 0
        and invoice_debt_fault(9, i.amount_minor, i.amount_due_minor) is null
    ), credited as (
      update invoice i set status = 9 from note n where i.customer_id = n.customer_id and i.id = n.id
      returning i.customer_id, i.id, n.before, import_digest(import_row(to_jsonb(i))) as after
    )
    update import_change c set after = n.after
    from credited n
    where c.table_name = 'invoice' and c.key = jsonb_build_object('customer_id', n.customer_id, 'id', n.id) and c.after = n.before;
    update import_change c set before = jsonb_set(c.before, '{status}', '9')
    where c.table_name = 'invoice' and c.before ->> 'status' = '1' and (c.before ->> 'amount_minor')::bigint < 0
      and invoice_debt_fault(9, (c.before ->> 'amount_minor')::bigint, (c.before ->> 'amount_due_minor')::bigint) is null;
  end loop;
  set local role none;
end $$;
