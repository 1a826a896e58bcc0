import { expect, test } from 'vitest'
import { addAccount, addTenant } from '../../../test/support/people.ts'
import { testContext } from '../../../test/support/test-app.ts'
import { mintScope } from '../../session/scope.ts'
import { listMethodRows, upsertMethod } from './stored-methods.queries.ts'

test('[PAY-01] of a stored card no number is kept, and the id that its network gave it is, whatever its digits', async () => {
  const context = await testContext()
  const tenant = await addTenant(context)
  const payer = mintScope(tenant)
  const accountId = await addAccount(context, tenant.resellerId, 'moneris')
  // Both have a valid check digit.
  const details = { last4: '4242', name: '4242 4242 4242 4242', networkRef: '201456789012318' }
  const rows = await context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, async (db) => {
    const method = { id: crypto.randomUUID(), kind: 'card', type: 'card', token: 'a token', status: 'ready', details } as const
    await upsertMethod(db, payer, accountId, { ...method, addedAt: context.clock() })
    return listMethodRows(db, payer, accountId)
  })
  expect(rows.map((row) => row.details)).toEqual([{ last4: '4242', networkRef: '201456789012318' }])
  await context.close()
})
