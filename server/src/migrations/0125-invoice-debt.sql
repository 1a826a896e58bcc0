-- What is due of an invoice is a debt that can be: the one place that says so, for the constraint, for every import and for doctor.
-- Null where it can be, else the name of the fault.
create function invoice_debt_fault(status integer, amount bigint, due bigint) returns text language sql immutable parallel safe
  return case
    when status = 11 then case when due <> 0 then 'paid' end
    when amount = 0 then 'zero'
    when status = 9 and amount > 0 then case when due <> 0 then 'credited' end
    when status = 9 then case when due < amount or due > 0 then 'credit' end
    when amount < 0 then 'negative'
    when due = 0 then 'nothing'
    when due < 0 or due > amount then 'beyond'
  end;

-- It binds what is written from now on. Rows from before are checked where none breaks it (db/validate-constraints.ts); doctor lists the others.
alter table invoice add constraint invoice_debt check (invoice_debt_fault(status, amount_minor, amount_due_minor) is null) not valid;
