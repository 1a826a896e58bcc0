import { expect, test } from 'vitest'
import { CARDS } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { runCommand } from '../../../test/support/operator.ts'
import { addTenant, addInvoice, queryAsAdministrator } from '../../../test/support/people.ts'

const { fixture, payer } = await usePayments()
await queryAsAdministrator(fixture.context, 'update customer set external_id = $2 where id = $1', [payer.customerId, 'C-1001'])
const today = fixture.context.clock().toISOString().slice(0, 10)
const open = await payer.invoice({ external_id: 'I-1', number: '2026-001' })
const late = await payer.invoice({ external_id: 'I-2', number: '2026-002', issued_on: '2020-01-01', due_on: '2020-01-31' })
await payer.invoice({ external_id: 'I-3', number: '2026-003', status: 11, amount_due_minor: 0, due_on: today })
const other = await addTenant(fixture.context)
await addInvoice(fixture.context, other.resellerId, other.customerId, { external_id: 'I-1', number: 'X-9' })

const reseller = ['--reseller', String(payer.resellerId)]
const run = (...words: string[]) => runCommand(fixture.context, ...words)
const list = async (...words: string[]): Promise<{ number: string }[]> =>
  (JSON.parse((await run('invoice', 'list', '--json', ...words)).out) as { invoices: { number: string }[] }).invoices
const numbers = async (...words: string[]): Promise<string[]> => (await list(...words)).map(({ number }) => number)

test('[OPS-03] invoices are listed by customer, number, external id and status, newest first', async () => {
  expect(await numbers(...reseller)).toEqual(expect.arrayContaining(['2026-001', '2026-003']))
  expect((await numbers(...reseller)).at(-1)).toBe('2026-002')
  expect(await numbers('--customer', 'C-1001', '--status', 'overdue')).toEqual(['2026-002'])
  expect(await numbers('--customer', 'C-1001', '--status', 'open')).toEqual(['2026-001'])
  expect(await numbers('--customer', 'C-1001', '--status', 'paid')).toEqual(['2026-003'])
  expect(await numbers('--number', '2026-003')).toEqual(['2026-003'])
  expect((await numbers('--external-id', 'I-1')).toSorted()).toEqual(['2026-001', 'X-9'])
  expect(await numbers('--external-id', 'I-1', ...reseller)).toEqual(['2026-001'])
  expect(await numbers('--limit', '1', '--customer', 'C-1001')).toHaveLength(1)
  expect((await list('--number', '2026-002'))[0]).toEqual({
    id: late,
    number: '2026-002',
    externalId: 'I-2',
    status: 'overdue',
    currency: 'AUD',
    amount: '110.00',
    due: '110.00',
    credit: '0.00',
    issuedOn: '2020-01-01',
    dueOn: '2020-01-31',
    customer: payer.customerId,
    customerExternalId: 'C-1001',
    reseller: payer.resellerId,
    generatedAt: '2026-11-01T03:04:05.000Z',
    corrects: null,
    agreement: null,
    period: null,
  })
})

test('[OPS-03] what is no status, no customer or no invoice is an error that names it', async () => {
  expect((await run('invoice', 'list', '--status', 'late')).err).toContain('"late" is none of open, overdue')
  expect((await run('invoice', 'list', '--customer', 'C-9')).err).toContain('There is no customer "C-9".')
  expect((await run('invoice', 'show', 'I-9')).err).toContain('There is no invoice "I-9".')
  expect((await run('invoice', 'show', 'I-1')).err).toContain('Several customers have an invoice "I-1"')
})

test('[OPS-03] [PAY-01] an invoice is shown with its payments, which are listed by invoice, customer and status', async () => {
  const intent = await payer.intent(open)
  await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.declined), cardHolder: 'Ada Payer' })
  fixture.context.advance(1_000)
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  for (const ref of ['I-1', '2026-001', String(open)]) {
    const shown = JSON.parse((await run('invoice', 'show', ref, '--json', ...reseller)).out) as Record<string, unknown>
    expect(shown).toMatchObject({
      invoice: { id: open, status: 'paid', due: '0.00' },
      payments: [{ status: 'succeeded', amount: '110.00' }, { status: 'declined' }],
    })
  }
  expect((await run('invoice', 'show', '2026-001', '--customer', 'C-1001')).out).toMatch(
    /^2026-001 {2}paid {2}110\.00 AUD.*payment .* succeeded/s,
  )

  const payments = async (...words: string[]) =>
    (JSON.parse((await run('payments', 'list', '--json', ...words)).out) as { payments: { status: string }[] }).payments
  const statuses = async (...words: string[]) => (await payments(...words)).map(({ status }) => status)
  expect((await statuses('--invoice', 'I-1')).toSorted()).toEqual(['declined', 'succeeded'])
  expect(await statuses('--invoice', '2026-001', '--status', 'succeeded', '--customer', 'C-1001')).toEqual(['succeeded'])
  expect(await statuses('--invoice', 'I-2')).toEqual([])
  expect((await payments('--status', 'succeeded', ...reseller))[0]).toMatchObject({
    amount: '110.00',
    currency: 'AUD',
    invoices: ['2026-001'],
    customer: payer.customerId,
    customerExternalId: 'C-1001',
  })
  expect((await run('payments', 'list', '--status', 'lost')).err).toContain('"lost" is none of created')
})
