-- compatible
-- A browser keeps in a cookie what the page of a link has shown it. Of pages that keep none nobody can tell which was read again, so they
-- are counted: each refusal that is followed by a reading takes one away, and no reading of one page takes away another's.
alter table payment_link_total add column pages integer not null default 1; -- readings without the cookie; each may be a page that is open
