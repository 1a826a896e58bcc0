-- The backstop: a query that forgets its tenant still sees no foreign row. The roles exist before migrations run (kit/roles.ts).
--   counterfoil_app       a customer's request; rows of app.customer_id, and of app.reseller_id where a table is the reseller's
--   counterfoil_reseller  operators, imports, reports; rows of the customers of app.reseller_id
--   counterfoil_system    sign-in, sessions, jobs; the tables named below and no others
--   counterfoil_loader    bulk loading of usage for the customers of app.reseller_id

create function app_customer_id() returns bigint language sql stable parallel safe
  return nullif(current_setting('app.customer_id', true), '')::bigint;
create function app_reseller_id() returns integer language sql stable parallel safe
  return nullif(current_setting('app.reseller_id', true), '')::integer;

grant usage on schema public to counterfoil_app, counterfoil_reseller, counterfoil_system, counterfoil_loader;

do $$
declare name text;
begin
  -- A customer's own rows.
  foreach name in array array['agreement', 'billing_period', 'service_item', 'usage_record', 'invoice', 'invoice_line', 'invoice_tax',
    'invoice_file', 'billing_transaction', 'bundle', 'bundle_product', 'opening_balance', 'data_usage_day']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy customer_rows on %I to counterfoil_app using (customer_id = app_customer_id()) with check (customer_id = app_customer_id())', name);
    execute format('create policy reseller_rows on %I to counterfoil_reseller using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c))', name);
    execute format('grant select on %I to counterfoil_app', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller', name);
  end loop;

  -- A reseller's own rows.
  foreach name in array array['service', 'record_type', 'extra_field_label']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy reseller_rows on %I to counterfoil_app, counterfoil_reseller, counterfoil_loader using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id())', name);
    execute format('grant select on %I to counterfoil_app, counterfoil_loader', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_reseller', name);
  end loop;

  -- Tables of the house itself: only the system role reaches them.
  foreach name in array array['session', 'refresh_token', 'rate_limit']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_rows on %I to counterfoil_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to counterfoil_system', name);
  end loop;

  foreach name in array array['reseller', 'brand', 'brand_image', 'customer', 'app_user', 'user_customer']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_rows on %I to counterfoil_system using (true) with check (true)', name);
    execute format('grant select on %I to counterfoil_system', name);
  end loop;
end $$;

grant insert on reseller to counterfoil_system;
grant update (password_hash, password_changed_at) on app_user to counterfoil_system;

create policy own_reseller on reseller to counterfoil_app, counterfoil_reseller using (id = app_reseller_id()) with check (id = app_reseller_id());
create policy own_brand on brand to counterfoil_app, counterfoil_reseller using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
create policy own_brand_image on brand_image to counterfoil_app, counterfoil_reseller
  using (brand_id in (select b.id from brand b)) with check (brand_id in (select b.id from brand b));
create policy own_customer on customer to counterfoil_app using (id = app_customer_id()) with check (id = app_customer_id());
create policy reseller_customer on customer to counterfoil_reseller, counterfoil_loader
  using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
create policy reseller_user on app_user to counterfoil_reseller using (reseller_id = app_reseller_id()) with check (reseller_id = app_reseller_id());
create policy reseller_user_customer on user_customer to counterfoil_reseller
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c) and user_id in (select u.id from app_user u));

grant select on reseller, brand, brand_image, customer to counterfoil_app;
grant select, insert, update on reseller, brand, brand_image, customer, app_user to counterfoil_reseller;
grant select, insert, update, delete on user_customer to counterfoil_reseller;

-- The loader: usage and what it refers to, inside one reseller.
grant select on customer, agreement, service_item to counterfoil_loader;
grant select, insert on usage_record to counterfoil_loader;
create policy loader_rows on usage_record to counterfoil_loader
  using (customer_id in (select c.id from customer c)) with check (customer_id in (select c.id from customer c));
create policy loader_rows on agreement for select to counterfoil_loader using (customer_id in (select c.id from customer c));
create policy loader_rows on service_item for select to counterfoil_loader using (customer_id in (select c.id from customer c));
