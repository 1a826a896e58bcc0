-- A customer may write two columns of its own service items: what they are called and where they are accounted for (portal.md §2, Cost Centre).
grant update (description, cost_centre) on service_item to counterfoil_app;
