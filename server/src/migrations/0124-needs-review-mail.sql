-- compatible
-- A payment whose outcome could not be found out is told to the operator by mail.
create policy reseller_reviews on mail for insert to counterfoil_reseller
  with check (kind = 'needs-review' and user_id is null and brand_id in (select b.id from brand b));
