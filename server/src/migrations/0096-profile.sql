-- What people choose for themselves: how numbers are written, and where receipts go. Null: nothing chosen.

alter table app_user
  add column number_locale text check (length(number_locale) between 2 and 35),
  add column receipt_email text check (length(receipt_email) between 3 and 254);
grant update (number_locale, receipt_email) on app_user to counterfoil_system;
