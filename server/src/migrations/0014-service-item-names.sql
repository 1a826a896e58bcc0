-- Usage in the order of its connections' names is read by walking them: each connection's records come from their own index, so a
-- page costs the connections that it shows, not the records that match.
create index service_item_name on service_item (customer_id, service_item);
