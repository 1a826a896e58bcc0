-- A code of single sign-on is redeemed by the browser that began the sign-on, and by no other: the hash of that browser's cookie.
alter table sign_on_code add column browser_hash bytea;
