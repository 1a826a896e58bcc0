import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { runCommand, runJsonCommand } from '../../test/support/operator.ts'
import { addTenant, queryAsAdministrator } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

let context: TestContext
let client: ReturnType<typeof clientFor>
let tenant: Awaited<ReturnType<typeof addTenant>>
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-debt-'))

beforeAll(async () => {
  context = await testContext()
  tenant = await addTenant(context, { reseller: { payments_enabled: true }, customer: { external_id: 'C1' } })
  const app = await context.app()
  client = clientFor(app, await signInAs(app, tenant.person), tenant.customerId)
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

let last = 0
const write = (text: string): string => {
  const path = join(folder, `${(last += 1)}`)
  writeFileSync(path, text)
  return path
}
const HEADER = 'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue,status'
const toLine = (id: string, amount: string, due: string, status: string): string =>
  `${id},C1,${id},${amount},${amount},${due},2026-11-01,2026-11-30,${status}`
const load = (text: string) => runCommand(context, 'import', 'invoices', write(text), '--reseller', String(tenant.resellerId))
const undo = (id: number) => runCommand(context, 'import', 'undo', String(id), '--yes')
const readListed = async (number: string) =>
  ((await client.get('/v1/ec/invoices')).json() as { number: string }[]).find((invoice) => invoice.number === number)

describe('[OPS-03] an import takes no debt that cannot be', () => {
  const PAID = 'amountDue: a paid invoice has nothing due'
  const CREDITED = 'amountDue: of a credited invoice with a positive amount nothing is due'
  test.each([
    ['open', '100.00', '150.00', 'amountDue: 150 is not a part of 100; of an open invoice more than 0 is due, and at most its amount'],
    ['open', '100.00', '-1', 'amountDue: -1 is not a part of 100'],
    ['open', '100.00', '0', 'amountDue: of an open invoice something is due; write how much, or the status paid or credited'],
    ['overdue', '100.00', '100.01', 'amountDue: 100.01 is not a part of 100'],
    ['', '100.00', '0.00', 'amountDue: of an open invoice something is due'],
    ['paid', '100.00', '0.01', `${PAID}, and 0.01 is; write 0, or another status`],
    ['paid', '-20.00', '-20.00', `${PAID}, and -20 is`],
    ['credited', '100.00', '100.00', `${CREDITED}, and 100 is; write 0, or another status`],
    ['credited', '100.00', '-5', CREDITED],
    [
      'credited',
      '-20.00',
      '-20.01',
      'amountDue: -20.01 is not what is left of a credit note of -20; write an amount from -20, all of it, to 0',
    ],
    ['credited', '-20.00', '5', 'amountDue: 5 is not what is left of a credit note of -20'],
    ['open', '-20.00', '20.00', 'amountDue: 20 is not what is left of a credit note of -20'],
    ['open', '0.00', '0.00', 'status: an invoice of 0 asks for nothing, so its status is paid'],
    ['credited', '0', '0', 'status: an invoice of 0 asks for nothing'],
    ['open', '0', '10', 'status: an invoice of 0 asks for nothing'],
  ])('%j with %s of which %s is due is a bad row, in CSV and in JSON', async (status, amount, due, reason) => {
    const { exit, err } = await load(`${HEADER}\n${toLine('BAD', amount, due, status)}\n`)
    expect([exit, err]).toEqual([1, expect.stringContaining(`line 2: ${reason}`) as string])
    const row = {
      externalId: 'BAD',
      customer: 'C1',
      number: 'BAD',
      netAmount: Number(amount),
      amount: Number(amount),
      amountDue: Number(due),
      dateInvoice: '2026-11-01',
      dateDue: '2026-11-30',
      status: status === '' ? null : status,
    }
    expect((await load(`${JSON.stringify(row)}\n`)).err).toContain(`line 1: ${reason}`)
    expect(await readListed('BAD')).toBeUndefined()
  })

  test.each([
    ['OPEN', 'open', '100.00', '100.00', { invoiceStatus: 1, amountDue: 100, canPay: true, isCredited: false }],
    ['PART', '', '100.00', '0.01', { invoiceStatus: 1, amountDue: 0.01, canPay: true }],
    ['PAID', 'paid', '100.00', '0', { invoiceStatus: 11, amountDue: 0, paid: true }],
    ['NOTHING', 'paid', '0', '0', { invoiceStatus: 11, amountDue: 0, paid: true }],
    ['BACK', 'credited', '100.00', '0', { invoiceStatus: 9, amountDue: 0, isCredited: true, canPay: false }],
    ['NOTE', 'credited', '-20.00', '-20.00', { invoiceStatus: 9, amountDue: -20, isCredited: true, canPay: false }],
    ['OPEN-NOTE', 'open', '-20.00', '-12.00', { invoiceStatus: 9, amountDue: -12, isCredited: true, canPay: false }],
    ['PLAIN-NOTE', '', '-20.00', '-20.00', { invoiceStatus: 9, amountDue: -20, isCredited: true, canPay: false }],
    ['USED-NOTE', 'open', '-20.00', '0', { invoiceStatus: 9, amountDue: 0, isCredited: true }],
    ['PAID-OUT', 'paid', '-20.00', '0', { invoiceStatus: 11, amountDue: 0, isCredited: false }],
  ])('%s: %j with %s of which %s is due comes in', async (number, status, amount, due, shown) => {
    const file = `${HEADER}\n${toLine(number, amount, due, status)}\n`
    expect(await load(file)).toMatchObject({ exit: 0, out: expect.stringContaining('1 added') as string })
    expect(await readListed(number)).toMatchObject({ amount: Number(amount), ...shown })
    expect((await load(file)).out).toContain('0 added, 0 changed, 1 as before')
  })

  test('and judges the invoice as it will stand, where the file leaves its status out or a debit of it is on its way', async () => {
    const noStatus = HEADER.replace(',status', '')
    const bare = (id: string, amount: string, due: string): string => `${noStatus}\n${toLine(id, amount, due, '').replace(/,$/, '')}\n`
    await load(`${HEADER}\n${toLine('J1', '50', '0', 'credited')}\n${toLine('J2', '50', '50', 'open')}\n`)
    expect((await load(bare('J1', '50', '50'))).err).toContain('amountDue: of a credited invoice with a positive amount nothing is due')
    expect(await load(bare('J1', '-50', '-50'))).toMatchObject({ exit: 0 })
    await queryAsAdministrator(context, "update invoice set status = 7 where number = 'J2'")
    expect(await load(bare('J2', '60', '60'))).toMatchObject({ exit: 0 })
    expect(await readListed('J2')).toMatchObject({ amount: 60, amountDue: 50, invoiceStatus: 7 })
    expect(await load(`${HEADER}\n${toLine('J2', '40', '40', 'open')}\n`)).toMatchObject({ exit: 0 })
    expect(await readListed('J2')).toMatchObject({ amount: 40, amountDue: 40, canPay: true })
  })

  test('and its undo gives a credit note the debt that it had', async () => {
    await load(`${HEADER}\n${toLine('U1', '30', '30', 'open')}\n`)
    const { importId } = await runJsonCommand<{ importId: number }>(
      context,
      'import',
      'invoices',
      write(`${HEADER}\n${toLine('U1', '-30', '-30', 'open')}\n`),
      '--reseller',
      String(tenant.resellerId),
    )
    expect(await readListed('U1')).toMatchObject({ invoiceStatus: 9 })
    expect(await undo(importId)).toMatchObject({ exit: 0 })
    expect(await readListed('U1')).toMatchObject({ amountDue: 30, canPay: true })
  })
})

test('[OPS-03] the database takes no debt that cannot be, whoever writes it', async () => {
  for (const [status, amount, due] of [
    [1, 100, 150],
    [1, 100, 0],
    [1, -20, -20],
    [7, 100, 0],
    [9, 100, 1],
    [9, -20, -21],
    [9, 0, 0],
    [11, 100, 1],
  ])
    await expect(
      queryAsAdministrator(context, "update invoice set status = $1, amount_minor = $2, amount_due_minor = $3 where number = 'OPEN'", [
        status,
        amount,
        due,
      ]),
      `${status} ${amount} ${due}`,
    ).rejects.toThrow(/invoice_debt/)
  expect(await queryAsAdministrator(context, "select convalidated from pg_constraint where conname = 'invoice_debt'")).toEqual([
    { convalidated: true },
  ])
})
