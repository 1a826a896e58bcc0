import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../test/support/operator.ts'
import { addInvoice, addTenant, insertRow, openSession, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

const run = (...words: string[]) => runCommand(context, ...words)
const count = async (table: string, column: string, id: number | string): Promise<number> =>
  (await queryAsAdministrator<{ n: number }>(context, `select count(*)::int as n from ${table} where ${column} = $1`, [id]))[0]?.n ?? -1

test('[OPS-03] a reseller is removed from its leaves: what depends on a thing is said before it goes', async () => {
  const { resellerId, brandId, customerId, person } = await addTenant(context)
  const [reseller, brand, customer] = [resellerId, brandId, customerId].map(String) as [string, string, string]
  await addInvoice(context, resellerId, customerId)
  await insertRow(context, resellerId, 'extra_field_label', { reseller_id: resellerId, extra_field_type_id: 3, extra_field1: 'Order' })
  await openSession(context, person, 'counterfoil-portal')

  expect((await run('reseller', 'remove', reseller, '--yes')).err).toMatch(/: 1 brands, 1 customers, 1 users depend on the reseller .*\./)
  expect((await run('brand', 'remove', brand, '--yes')).err).toMatch(/: 1 customers, 1 users depend on the brand .*\./)
  expect((await run('customer', 'remove', customer, '--yes')).err).toMatch(
    /: 1 invoices, 1 users who act for it depend on the customer .*\./,
  )
  expect(await count('customer', 'id', customerId)).toBe(1)

  expect((await run('user', 'remove', person.username, '--yes')).out).toBe(`User ${person.username} is removed.`)
  expect(await count('session', 'user_id', person.id)).toBe(0)
  expect((await run('customer', 'remove', customer, '--yes')).err).toMatch(/: 1 invoices depend on the customer/)
  await queryAsAdministrator(context, 'delete from invoice where customer_id = $1', [customerId])
  expect((await run('customer', 'remove', customer, '--yes')).exit).toBe(0)
  expect((await run('brand', 'remove', brand, '--yes')).exit).toBe(0)
  expect((await run('reseller', 'remove', reseller, '--yes')).exit).toBe(0)
  expect(await count('reseller', 'id', resellerId)).toBe(0)
  for (const gone of [
    ['reseller', reseller],
    ['brand', brand],
    ['customer', customer],
    ['user', person.username],
  ] as const)
    expect((await run(gone[0], 'remove', gone[1], '--yes')).err).toMatch(/^There is no /)

  const audited = await queryAsAdministrator<{ action: string }>(
    context,
    "select action from audit_entry where reseller_id = $1 and action like '%removed' order by seq",
    [resellerId],
  )
  expect(audited.map(({ action }) => action)).toEqual(['user.removed', 'customer.removed', 'brand.removed', 'reseller.removed'])
  expect((await verifyAudit(context.store, context.keys)).faults).toEqual([])
})

test('[OPS-03] what does not exist is said before anything is asked', async () => {
  const { resellerId } = await addTenant(context)
  for (const words of [
    ['reseller', 'remove', 'nobody'],
    ['brand', 'remove', 'nobody'],
    ['customer', 'remove', 'nobody'],
    ['user', 'remove', 'nobody'],
    ['user', 'disable', 'nobody'],
    ['payments', 'refund', 'nothing'],
    ['payments', 'settle', 'nothing', '--as', 'paid', '--reason', 'Seen'],
    ['import', 'undo', '999999'],
    ['sso', 'remove', '--reseller', String(resellerId), '--company', 'Nobody'],
  ]) {
    const { exit, err } = await run(...words)
    expect([words.join(' '), exit]).toEqual([words.join(' '), 1])
    expect(err).toMatch(/There is no |has no company/)
    expect(err).not.toContain('--yes')
  }
})

test('[OPS-03] without --yes nothing is removed', async () => {
  const { person } = await addTenant(context)
  expect((await run('user', 'remove', person.username)).err).toContain('say --yes')
  expect(await count('app_user', 'id', person.id)).toBe(1)
})
