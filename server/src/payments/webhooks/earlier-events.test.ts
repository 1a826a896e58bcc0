import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { migrateToEarlierSchema, openEmptyStore } from '../../../test/databases/earlier-schema.ts'

const MIGRATION = '0160-plain-names.sql'
const AS_SYSTEM = { role: 'counterfoil_system' } as const

test('[PAY-01] a webhook event that waits while the server is upgraded still names its payment', async () => {
  const { store, drop } = await openEmptyStore()
  onTestFinished(async () => {
    await store.close()
    await drop()
  })
  await migrateToEarlierSchema(store, MIGRATION)
  await store.transact(AS_SYSTEM, (db) =>
    sql`insert into reseller (id, name, legal_name, currency, currency_symbol) values (1, 'Nimbus', 'Nimbus Pty Ltd', 'AUD', '$')`.execute(
      db,
    ),
  )
  await store.transact(AS_SYSTEM, (db) =>
    sql`
      insert into payment_webhook_event (reseller_id, provider, event_id, kind, subject, received_at, processed_at) values
        (1, 'stripe', 'waiting', 'paid', '{"ourRef":"R1","providerRef":"pi_1"}', now(), null),
        (1, 'stripe', 'unnamed', 'paid', '{"providerRef":"pi_2"}', now(), null)`.execute(db),
  )

  expect(await migrate(store)).toContain(MIGRATION)

  const { rows } = await store.transact(AS_SYSTEM, (db) =>
    sql`select event_id as id, subject from payment_webhook_event order by event_id`.execute(db),
  )
  expect(rows).toEqual([
    { id: 'unnamed', subject: { providerRef: 'pi_2' } },
    { id: 'waiting', subject: { merchantReference: 'R1', providerRef: 'pi_1' } },
  ])
})
