-- compatible
-- The attribute in which an organization's SAML provider sends the email, where it is none of the usual ones.
alter table sso_organization add column email_attribute text check (email_attribute ~ '^[!-~]+$' and length(email_attribute) <= 256);
