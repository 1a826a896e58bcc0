import { afterAll, beforeAll, expect, test } from 'vitest'
import { LATER_FILES, migrateToEarlierSchema, openEmptyStore } from '../../test/databases/earlier-schema.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { findMiscounts } from '../../test/support/usage-counters.ts'
import { migrate } from './migrate.ts'

let context: TestContext
let drop: () => Promise<void>

beforeAll(async () => {
  const empty = await openEmptyStore()
  drop = empty.drop
  context = await testContext({}, { store: empty.store })
  await migrateToEarlierSchema(context.store, '0088')
})
afterAll(async () => {
  await context.close()
  await drop()
})

/** Two resellers with a customer each, and records of three months; the last statement leaves counters of no records behind. */
const FILL = `
insert into reseller (id, name, legal_name, currency, currency_symbol) values (1, 'Nimbus', 'Nimbus', 'AUD', '$'), (2, 'Rival', 'Rival', 'AUD', '$');
insert into brand (id, reseller_id, name) values (1, 1, 'Nimbus'), (2, 2, 'Rival');
insert into customer (id, reseller_id, brand_id, label, currency, currency_symbol) values (1, 1, 1, 'Harbour', 'AUD', '$'), (2, 2, 2, 'Quay', 'AUD', '$');
insert into service (id, reseller_id, name) values (1, 1, 'Voice'), (2, 2, 'Data');
insert into record_type (id, reseller_id, service_id, description) values (1, 1, 1, 'Call'), (2, 2, 2, 'Data');
select ensure_usage_months('2026-08-01', '2026-10-31');
insert into usage_record (customer_id, usage_at, service_id, record_type_id, agreement_id, units, price, cost_centre)
select 1 + n % 2, timestamptz '2026-08-01 00:00Z' + n * interval '7 hours', 1 + n % 2, 1 + n % 2, nullif(n % 3, 0), n * 0.125, n * 0.000001 - 0.0001,
  (array['Fleet', 'Depot', '', null])[1 + n % 4]
from generate_series(1, 300) n;
insert into usage_record (customer_id, usage_at, service_id, record_type_id, units, price, external_id) values (1, '2026-08-01', 1, 1, 1, 1, 'gone');
delete from usage_record where external_id = 'gone';`

test('[EASE-06] a database with usage comes out of the migration with the exact sums of all its records', async () => {
  await queryAsAdministrator(context, FILL)
  const files = LATER_FILES.filter((name) => name >= '0088')
  expect(await migrate(context.store)).toEqual(files)
  expect(files).toContain('0088-usage-sums.sql')
  for (const reseller of [1, 2]) expect(await findMiscounts(context, reseller)).toEqual([])
  const [sums] = await queryAsAdministrator<{ price: string; centres: number }>(
    context,
    `select (select trim_scale(sum(price))::text from usage_day) as price, (select sum(records)::int from usage_month_cost_centre) as centres`,
  )
  // The sum over n = 1 … 300 of n / 10^6 - 0.0001; every fourth record has either cost centre.
  expect(sums).toEqual({ price: '0.01515', centres: 150 })
})
