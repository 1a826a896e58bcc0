import pg from 'pg'

/** The customers that the benchmarks query: the one with the most records, and a small one. */
export interface SeededUsage {
  readonly biggest: { readonly id: number; readonly rows: number }
  readonly small: { readonly id: number; readonly rows: number }
}

const RESELLER = 2_204
const FIRST_CUSTOMER = 5_000_001
const CUSTOMERS = 2_000

const sql = String.raw

/**
 * Inserts `rows` usage records over 24 months and 2,000 customers, of which the biggest has an eighth; the same data every time.
 * Indexes are dropped during the insert; afterwards the counters are summed up and the indexes created.
 */
export const seedUsage = async (databaseUrl: string, rows: number, today: string): Promise<SeededUsage> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'")
    return await seedConnection(client, rows, today)
  } finally {
    await client.end()
  }
}

/** Seeds through an open connection to either database. */
export const seedConnection = async (client: pg.ClientBase, rows: number, today: string): Promise<SeededUsage> => {
  await client.query('select setseed(0.2204)')
  await client.query(sql`
      insert into customer (id, reseller_id, brand_id, label, currency, currency_symbol)
        select ${FIRST_CUSTOMER} + n, ${RESELLER}, ${RESELLER}, 'Bench ' || n, 'AUD', 'A$' from generate_series(0, ${CUSTOMERS - 1}) n;
      insert into user_customer (user_id, customer_id) select u.id, c.id from app_user u, customer c where u.username = 'demo' and c.id in (${FIRST_CUSTOMER}, ${FIRST_CUSTOMER + 900});
      insert into agreement (customer_id, id, name) select ${FIRST_CUSTOMER} + n / 3, 50000000 + n, 'Agreement ' || n from generate_series(0, ${CUSTOMERS * 3 - 1}) n;
      insert into service (id, reseller_id, name) select 900 + n, ${RESELLER}, 'Bench service ' || n from generate_series(0, 7) n;
      insert into record_type (id, reseller_id, service_id, description) select 9000 + n, ${RESELLER}, 900 + n / 5, 'Bench type ' || n from generate_series(0, 39) n;
      insert into service_item (customer_id, id, service_id, service_item, description, site, cost_centre)
        select c, 60000000 + row_number() over (), 900 + n % 8, '04' || to_char(n * 7919 % 100000000, 'FM00000000'), 'Connection ' || n, 'Site ' || n % 40, 'CC ' || n % 9
        from generate_series(${FIRST_CUSTOMER}::bigint, ${FIRST_CUSTOMER + CUSTOMERS - 1}) c
        cross join lateral generate_series(1, greatest(4, (8000 / power(c - ${FIRST_CUSTOMER} + 1, 0.8))::int)) n;
      select ensure_usage_months('${today}'::date - 730, '${today}'::date + 1)`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    "select indexname as name, indexdef as definition from pg_indexes where tablename = 'usage_record' and indexname <> 'usage_record_pkey'",
  )
  const { rows: keys } = await client.query<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'usage_record_pkey'",
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query('alter table usage_record drop constraint usage_record_pkey')
  await client.query(sql`
      create temp table items as
        select customer_id, row_number() over (partition by customer_id order by id) as k, id, service_id,
          count(*) over (partition by customer_id) as items
        from service_item where customer_id >= ${FIRST_CUSTOMER};
      create temp table item_counts as select distinct customer_id, items from items;
      analyze items, item_counts;
      insert into usage_record (reseller_id, customer_id, usage_at, service_item_id, service_id, record_type_id, agreement_id, units, price, service_item2, site, cost_centre)
      select ${RESELLER}, i.customer_id, at, i.id, i.service_id, 9000 + (i.service_id - 900) * 5 + (r * 1000)::int % 5,
        50000000 + (i.customer_id - ${FIRST_CUSTOMER}) * 3 + (r * 100)::int % 3, round((r * 500)::numeric, 4), round((r * r * 9)::numeric, 6), '505' || i.k, 'Site ' || i.k % 40, 'CC ' || i.k % 9
      from (
        select ${FIRST_CUSTOMER} + least(${CUSTOMERS}, floor(power(2001, power(random(), 1.15))))::bigint - 1 as c, random() as r, random() as p,
          ('${today}'::timestamp at time zone 'UTC') - interval '730 days' + n * (interval '730 days' / ${rows}) as at
        from generate_series(0, ${rows - 1}) n) x
      join item_counts on item_counts.customer_id = x.c
      join items i on i.customer_id = x.c and i.k = 1 + floor(p * item_counts.items)::int`)
  await client.query(`alter table usage_record add ${keys[0]?.definition}`)
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
  await client.query(sql`
      insert into usage_day_kind_merged
        select customer_id, (usage_at at time zone 'UTC')::date, service_id, record_type_id, coalesce(agreement_id, 0), count(*), sum(price), sum(units), ${RESELLER}
        from usage_record where customer_id >= ${FIRST_CUSTOMER} group by 1, 2, 3, 4, 5;
      insert into usage_day_merged select customer_id, day, sum(records), sum(price), ${RESELLER} from usage_day_kind_merged where customer_id >= ${FIRST_CUSTOMER} group by 1, 2;
      insert into usage_month_kind_merged select customer_id, date_trunc('month', day)::date, service_id, record_type_id, agreement_id, sum(records), sum(price), sum(units), ${RESELLER}
        from usage_day_kind_merged where customer_id >= ${FIRST_CUSTOMER} group by 1, 2, 3, 4, 5;
      insert into usage_month_cost_centre_merged select customer_id, date_trunc('month', usage_at at time zone 'UTC')::date, cost_centre, count(*), ${RESELLER}
        from usage_record where customer_id >= ${FIRST_CUSTOMER} group by 1, 2, 3;
      insert into usage_version select distinct customer_id, 1, ${RESELLER} from usage_day_merged where customer_id >= ${FIRST_CUSTOMER}`)
  for (const table of [
    'usage_record',
    ...['day', 'day_kind', 'month_kind', 'month_cost_centre'].map((name) => `usage_${name}_merged`),
    'service_item',
  ])
    await client.query(`vacuum analyze ${table}`)
  const count = async (id: number): Promise<number> => {
    const { rows: sums } = await client.query<{ n: string }>('select sum(records) as n from usage_day where customer_id = $1', [id])
    return Number(sums[0]?.n ?? 0)
  }
  return {
    biggest: { id: FIRST_CUSTOMER, rows: await count(FIRST_CUSTOMER) },
    small: { id: FIRST_CUSTOMER + 900, rows: await count(FIRST_CUSTOMER + 900) },
  }
}
