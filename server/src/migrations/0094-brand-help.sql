-- Where a brand's customers find help, and its legal pages: the footer of every page.

alter table brand
  add column help_email text check (length(help_email) between 3 and 254),
  add column help_phone text check (length(help_phone) between 3 and 40),
  add column help_hours text check (length(help_hours) between 1 and 200),
  add column terms_url text check (terms_url ~ '^https://' and length(terms_url) <= 500),
  add column privacy_url text check (privacy_url ~ '^https://' and length(privacy_url) <= 500);
