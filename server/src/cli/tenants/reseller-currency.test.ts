import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { addInvoice, addTenant } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'

let context: TestContext
let reseller: string

beforeAll(async () => {
  context = await testContext()
  const { resellerId, customerId } = await addTenant(context, { reseller: { name: 'Orbit', currency: 'AUD' } })
  for (const currency of ['AUD', 'AUD', 'EUR']) await addInvoice(context, resellerId, customerId, { currency })
  reseller = String(resellerId)
})
afterAll(() => context.close())

const setCurrency = (...words: string[]) => runCommand(context, 'reseller', 'set', reseller, '--currency', ...words)
const readCurrency = async (): Promise<unknown> =>
  (await runJsonCommand<{ currency: unknown }>(context, 'reseller', 'show', reseller)).currency

test('[OPS-03] another currency for a reseller with invoices says how many stay in theirs, and needs --yes where nobody can be asked', async () => {
  const refused = await setCurrency('EUR')
  expect(refused.exit).toBe(1)
  expect(refused.err).toContain('2 invoices of Orbit are in another currency than EUR and stay so')
  expect(refused.err).toContain('Nothing was changed: say --yes to do it without being asked.')
  expect(await readCurrency()).toBe('AUD')

  expect(await setCurrency('AUD')).toMatchObject({ exit: 0, err: '' }) // the same currency asks nothing, though one invoice is in another
  expect(await setCurrency('EUR', '--yes')).toMatchObject({ exit: 0, err: '' })
  expect(await readCurrency()).toBe('EUR')
  expect((await setCurrency('nzd')).err).toContain('3 invoices of Orbit are in another currency than NZD')
})
