-- The command line lists the newest entries of the log, of all resellers together.
create index audit_entry_at on audit_entry (at, reseller_id, seq);
