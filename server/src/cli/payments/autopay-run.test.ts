import { afterEach, expect, test } from 'vitest'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { databaseFindings } from '../doctor/database-findings.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { addPayingCustomer, CARDS, expectBalanced, type PayingCustomer, runWorker } from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator, changeReseller } from '../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
afterEach(() => expectBalanced(fixture))

interface Line {
  readonly customerId: number
  readonly outcome: string
  readonly amount: string
  readonly invoices: string[]
  readonly reason: string | null
}

const run = async (payer: PayingCustomer, more: Record<string, boolean> = {}): Promise<Line[]> => {
  const said = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(payer.resellerId), json: true, ...more })
  expect([said.code, said.err]).toEqual([0, []])
  return said.json<{ payments: Line[] }>().payments
}

const consent = (payer: PayingCustomer, allowResellerCharge: boolean) =>
  payer.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge })

const today = (days = 0): string => new Date(fixture.context.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10)
const NEEDS_CONSENT = { customer_permission_for_charging: true }
const NEEDS_NO_CONSENT = { customer_permission_for_charging: false }
const charges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

test('[PAY-01] consent has an effect: what is due is charged by the default method, once, however often it is run', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_CONSENT)
  await payer.storeCard()
  const due = [await payer.invoice({ due_on: today() }), await payer.invoice({ due_on: today(-9) })]
  const later = await payer.invoice({ due_on: today(1) })
  const paid = await payer.invoice({ due_on: today(-9), status: 11, amount_due_minor: 0 })
  expect(await run(payer)).toEqual([])
  await consent(payer, true)

  const before = await charges()
  expect(await run(payer, { dryRun: true })).toMatchObject([{ customerId: payer.customerId, outcome: 'due', amount: '220.00' }])
  expect(await charges()).toBe(before)
  expect(await run(payer)).toMatchObject([{ customerId: payer.customerId, outcome: 'paid', amount: '220.00', reason: null }])
  expect(await run(payer)).toEqual([])
  expect(await charges()).toBe(before + 1)
  for (const invoice of [...due, paid]) expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  expect(await payer.readInvoice(later)).toMatchObject({ canPay: true })

  await consent(payer, false)
  await payer.invoice({ due_on: today() })
  expect(await run(payer)).toEqual([])
  const audit = await queryAsAdministrator(
    fixture.context,
    "select detail from audit_entry where action = 'autopay.run' and reseller_id = $1",
    [payer.resellerId],
  )
  expect(audit).toEqual([{ detail: '1 paid' }])
})

test('[PAY-01] [PM-05] nobody is charged before somebody has chosen whether customers must allow it; doctor says so, and a new reseller asks', async () => {
  const payer = await addPayingCustomer(fixture, { customer_permission_for_charging: null })
  await payer.storeCard()
  const invoice = await payer.invoice({ due_on: today() })
  await consent(payer, true)
  const reseller = String(payer.resellerId)
  const refused = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller, json: true })
  expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining(`reseller payments set ${reseller} --ask-permission on`)])
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  const examined = async (): Promise<string> =>
    JSON.stringify(await databaseFindings(fixture.context.store, fixture.context.config, fixture.context.clock))
  expect(await examined()).toContain(`counterfoil reseller payments set ${reseller} --ask-permission`)

  const chosen = await runPaymentsCommand(fixture.context, 'reseller payments set', [reseller], { askPermission: 'on', json: true })
  expect(chosen.json()).toMatchObject({ askPermission: true })
  expect(await run(payer)).toMatchObject([{ outcome: 'paid' }])
  expect(await examined()).not.toContain('--ask-permission')

  const asking = await addPayingCustomer(fixture)
  expect((await asking.me.get('/v1/ec/allow-reseller-charge')).json()).toMatchObject({ requireCustomerPermissionForCharging: true })
})

const attemptsOf = (payer: PayingCustomer, status = '%'): Promise<{ currency: string }[]> =>
  queryAsAdministrator(fixture.context, 'select currency from payment_attempt where customer_id = $1 and status like $2', [
    payer.customerId,
    status,
  ])

test('[PAY-01] eight runs at once charge each invoice once', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard()
  const invoices = [await payer.invoice({ due_on: today() }), await payer.invoice({ due_on: today() })]
  const before = await charges()
  const runs = await Promise.all(Array.from({ length: 8 }, () => run(payer)))
  expect(runs.flat().filter(({ outcome }) => outcome === 'paid')).toHaveLength(1)
  expect(await charges()).toBe(before + 1)
  for (const invoice of invoices) expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] what one run lists before another run’s charge of it is declined is not charged again', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard(CARDS.chargesFail)
  for (const currency of ['AUD', 'CAD', 'EUR', 'GBP', 'USD']) await payer.invoice({ due_on: today(), currency })
  const atOnce = fixture.context.store.kind === 'embedded' ? 2 : 4
  await fixture.sandbox.fault({ operation: 'charge', kind: 'slow', ms: 1_000, times: atOnce })
  const slow = run(payer)
  await expect.poll(() => attemptsOf(payer, 'submitting')).toHaveLength(atOnce)
  const quick = await run(payer)
  expect(quick).toContainEqual(expect.objectContaining({ currency: 'USD', outcome: 'failed' }))
  await slow
  expect((await attemptsOf(payer)).filter(({ currency }) => currency === 'USD')).toHaveLength(1)
})

test('[PAY-01] a declined card is not tried again on the same day; on the next it is', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard(CARDS.chargesFail)
  const invoice = await payer.invoice({ due_on: today() })
  expect(await run(payer)).toMatchObject([{ outcome: 'failed', reason: 'card_declined' }])
  expect(await run(payer)).toEqual([])
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  fixture.context.advance(24 * 3_600_000)
  expect(await run(payer)).toMatchObject([{ outcome: 'failed' }])
})

test('[PAY-01] what could not be sent is tried by the next run; an unknown outcome is left to look-ups', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard()
  const first = await payer.invoice({ due_on: today() })
  await fixture.sandbox.fault({ operation: 'payment', kind: 'refuse' })
  expect(await run(payer)).toMatchObject([{ outcome: 'failed', reason: 'not_sent' }])
  expect(await run(payer)).toMatchObject([{ outcome: 'paid' }])
  expect(await payer.readInvoice(first)).toMatchObject({ invoiceStatus: 11 })

  const second = await payer.invoice({ due_on: today() })
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: true })
  expect(await run(payer)).toMatchObject([{ outcome: 'processing', reason: 'unknown' }])
  expect(await run(payer)).toEqual([])
  fixture.context.advance(3 * 60_000)
  await runWorker(fixture)
  expect(await payer.readInvoice(second)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] a debit is in collection; without a method nothing is tried; a card that needs confirmation is cancelled', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  const invoice = await payer.invoice({ due_on: today() })
  expect(await run(payer)).toMatchObject([{ outcome: 'skipped', reason: 'no default method' }])
  await payer.storeDebit()
  expect(await run(payer)).toMatchObject([{ outcome: 'processing' }])
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 7, canPay: false })
  const debit = (await fixture.sandbox.ledger()).find(({ status }) => status === 'pending' || status === 'processing')
  expect(await fixture.sandbox.settle(debit?.id ?? '', 'succeeded')).toBe(200)
  fixture.context.advance(2 * 3_600_000)
  await runWorker(fixture)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })

  const other = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await other.storeCard()
  await fixture.sandbox.fault({ operation: 'charge', kind: 'action' })
  const asked = await other.invoice({ due_on: today() })
  const [line] = await run(other)
  expect(line).toMatchObject({ outcome: 'failed' })
  expect(await other.readInvoice(asked)).toMatchObject({ canPay: true })
})

test('[PAY-01] a payment that is said to wait for a confirmation is given up at once, and what it has come to counts', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard()
  const invoice = await payer.invoice({ due_on: today() })
  await fixture.sandbox.fault({ operation: 'charge', kind: 'action', booked: true })
  expect(await run(payer)).toMatchObject([{ outcome: 'paid' }])
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] [OPS-03] a reseller that takes no payments is passed over, and named it is refused', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_NO_CONSENT)
  await payer.storeCard()
  await payer.invoice({ due_on: today() })
  await changeReseller(fixture.context, payer.resellerId, { payments_enabled: false })
  const named = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(payer.resellerId) })
  expect([named.code, named.err.join()]).toEqual([1, expect.stringContaining('takes no payments')])
  const all = await runPaymentsCommand(fixture.context, 'autopay run', [], { dryRun: true, json: true })
  expect(all.json<{ payments: { resellerId: number }[] }>().payments.some(({ resellerId }) => resellerId === payer.resellerId)).toBe(false)
})

test('[PAY-01] what is due and is left alone is said with its reason and its customer; a dry run shows the fee and the total', async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_CONSENT)
  await queryAsAdministrator(fixture.context, 'update customer set external_id = $2 where id = $1', [payer.customerId, 'C-1001'])
  await payer.storeCard(CARDS.chargesFail)
  const reseller = String(payer.resellerId)
  const say = async (options: Record<string, boolean> = {}) =>
    (await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller, ...options })).out
  expect(await say()).toEqual(['Nothing is due.'])
  const number = '2026-0777'
  await payer.invoice({ due_on: today(-1), number })
  expect(await say()).toEqual(['1 due, not allowed: C-1001'])
  const asJson = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller, dryRun: true, json: true })
  const uncharged = { customerId: payer.customerId, externalId: 'C-1001', currency: 'AUD', amount: '110.00', invoices: [number] }
  expect(asJson.json()).toMatchObject({ payments: [], notCharged: [{ ...uncharged, reason: 'not allowed' }] })

  await consent(payer, true)
  await runPaymentsCommand(fixture.context, 'reseller payments set', [reseller], { fee: ['card:AUD:1:0.30'], json: true })
  expect(await run(payer, { dryRun: true })).toMatchObject([{ outcome: 'due', amount: '110.00', fee: '1.40', total: '111.40' }])
  expect(await say({ dryRun: true })).toEqual([
    `due  reseller ${reseller}  customer ${payer.customerId}  110.00 + 1.40 fee = 111.40 AUD  ${number}`,
    'Nothing was charged: 1 due.',
  ])
  expect(await run(payer)).toMatchObject([{ outcome: 'failed', fee: '1.40', total: '111.40' }])
  expect(await say()).toEqual(['1 due, already tried today: C-1001'])
  await payer.invoice({ due_on: today(-1), status: 7 })
  expect(await say()).toEqual(['1 due, already tried today: C-1001', '1 due, in collection: C-1001'])
})
