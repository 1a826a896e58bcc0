-- Which invoices `counterfoil autopay run` is about: open, and due.
create index invoice_open_due_on on invoice (customer_id, due_on) where status = 1 and amount_due_minor > 0;
