import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { changeInvoice } from '../../../test/payments/fault-matrix/misfortunes.queries.ts'
import { openProviderGate } from '../../../test/payments/test-gate.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import {
  addPayingCustomer,
  CARDS,
  expectBalanced,
  payByLink,
  type PayingCustomer,
  runWorkerAfter,
} from '../../../test/payments/payments-fixture.ts'
import { connectStripe } from '../../../test/payments/sandbox.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { changeReseller, queryAsAdministrator } from '../../../test/support/people.ts'
import { requireAccount } from '../accounts/accounts.ts'
import { requireStoredMethod } from './method-to-pay.ts'
import { transactAsReseller } from '../payments-deps.ts'
import { chargeIntent } from './charge.ts'

const fixture = await usePaymentsFixture()
const gate = await openProviderGate(fixture.sandbox.url)
afterAll(() => gate.close())
afterEach(() => expectBalanced(fixture))

const MINUTE_MS = 60_000
const CREATE_PAYMENT = '/v1/payment_intents'
const CURRENCIES = ['AUD', 'CAD', 'EUR', 'GBP', 'NZD', 'USD']
const today = (): string => fixture.context.clock().toISOString().slice(0, 10)
const NEEDS_CONSENT = { customer_permission_for_charging: true }

const countCharges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length
const countAttempts = async ({ customerId }: PayingCustomer): Promise<number> =>
  (await queryAsAdministrator(fixture.context, 'select id from payment_attempt where customer_id = $1', [customerId])).length

/** A customer who consents, with an invoice due in each of six currencies, whose calls to the provider pass the gate. */
const addConsentingCustomer = async () => {
  const payer = await addPayingCustomer(fixture, NEEDS_CONSENT)
  await connectStripe(fixture.context, { ...fixture.sandbox, url: gate.url }, payer.resellerId)
  await payer.storeCard()
  const otherCardId = await payer.storeCard(CARDS.chargesFail)
  const invoices: number[] = []
  for (const currency of CURRENCIES) invoices.push(await payer.invoice({ due_on: today(), currency }))
  await payer.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
  return { payer, invoices, otherCardId }
}

const runAutopay = async ({ resellerId }: PayingCustomer) => {
  const said = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(resellerId), json: true })
  return said.json<{ payments: { currency: string; outcome: string; reason: string | null }[] }>().payments
}

/** What the history of these invoices says of why nothing was charged. */
const readFailures = async ({ me }: PayingCustomer, invoices: readonly number[]): Promise<(string | null)[]> => {
  const histories = await Promise.all(invoices.map((invoice) => me.get(`/v1/ec/invoices/${invoice}/payments`)))
  return histories.flatMap((history) => history.json<{ payments: { reason: string | null }[] }>().payments.map(({ reason }) => reason))
}

test('[PAY-01] [PM-05] consent that is withdrawn during a run: once it is answered, no charge begins, and none that had begun goes on', async () => {
  const { payer, invoices } = await addConsentingCustomer()
  const before = await countCharges()
  let begun = 0
  gate.stopAt(CREATE_PAYMENT, async () => {
    expect((await payer.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: false })).statusCode).toBe(200)
    begun = await countAttempts(payer)
  })
  const payments = await runAutopay(payer)
  expect(await countAttempts(payer)).toBe(begun)
  expect(await countCharges()).toBe(before)
  expect(begun).toBeGreaterThan(0)
  // Whether its charge had begun or not: the customer's word stopped it, and no provider that could not be reached.
  expect(payments.map(({ outcome, reason }) => [outcome, reason])).toEqual(CURRENCIES.map(() => ['skipped', 'not allowed']))
  expect(await readFailures(payer, invoices)).toEqual(
    Array.from({ length: begun }, () => 'Automatic payments were not allowed any more. Nothing was charged.'),
  )
  // What had begun is given up at the provider, and nothing stays claimed.
  for (const minutes of [3, 3, 10]) {
    await runWorkerAfter(fixture, minutes * MINUTE_MS)
    await runWorkerAfter(fixture, 0)
  }
  expect(await countCharges()).toBe(before)
  for (const invoice of invoices) expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
})

test.each([
  ['payments are switched off', (payer: PayingCustomer) => changeReseller(fixture.context, payer.resellerId, { payments_enabled: false })],
  ['the provider is exchanged', (payer: PayingCustomer) => changeReseller(fixture.context, payer.resellerId, { payment_type: 5 })],
  [
    'the default method becomes another',
    async (payer: PayingCustomer, id: string) => {
      expect((await payer.me.put('/v1/ec/payments/customer-default-source', { id })).statusCode).toBe(204)
    },
  ],
] as const)('[PAY-01] %s during a run: what was not begun by then is not charged', async (_, change) => {
  const { payer, otherCardId } = await addConsentingCustomer()
  let begun = 0
  gate.stopAt(CREATE_PAYMENT, async () => {
    await change(payer, otherCardId)
    begun = await countAttempts(payer)
  })
  const payments = await runAutopay(payer)
  expect(await countAttempts(payer)).toBe(begun)
  expect(payments.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(CURRENCIES.length - begun)
})

test.each([
  [
    'the stored method is removed',
    404,
    async (payer: PayingCustomer, cardId: string) => {
      expect((await payer.me.remove(`/v1/ec/payments/cards/${cardId}`)).statusCode).toBeLessThan(300)
    },
  ],
  [
    'payments are switched off',
    403,
    (payer: PayingCustomer) => changeReseller(fixture.context, payer.resellerId, { payments_enabled: false }),
  ],
  ['the provider is exchanged', 409, (payer: PayingCustomer) => changeReseller(fixture.context, payer.resellerId, { payment_type: 5 })],
] as const)(
  '[PAY-01] [BP-02] %s between reading and claim: the payment is refused with %i, and nothing is claimed',
  async (_, status, change) => {
    const payer = await addPayingCustomer(fixture)
    const cardId = await payer.storeCard()
    const [invoice, account] = [await payer.invoice(), await requireAccount(fixture.payments, payer.resellerId)]
    const { id: intentId } = await payer.intent(invoice)
    const method = await requireStoredMethod(fixture.payments, account, payer, { id: cardId })
    await change(payer, cardId)
    const request = {
      intentId,
      ...method,
      submission: null,
      receiptEmail: null,
      shownMinor: null,
      returnUrl: () => randomUUID(),
      client: null,
    }
    await expect(chargeIntent(fixture.payments, account, payer, request)).rejects.toMatchObject({ status })
    expect(await countAttempts(payer)).toBe(0)
  },
)

test.each([
  ['by link', 'The amount has changed since it was shown. Please check it and pay again.'],
  ['from inside', 'What you wanted to pay has changed since it was shown. Please go back to your invoices and choose again.'],
] as const)(
  '[PAY-01] [SP-02] [BP-02] the amount due is lowered between claim and call, %s: the payer is told what can be done there',
  async (way, text) => {
    const payer = await addPayingCustomer(fixture)
    await connectStripe(fixture.context, { ...fixture.sandbox, url: gate.url }, payer.resellerId)
    const [invoice, before] = [await payer.invoice(), await countCharges()]
    const card = { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' }
    const intent = await payer.intent(invoice)
    gate.stopAt(CREATE_PAYMENT, () =>
      transactAsReseller(fixture.payments, payer.resellerId, (db) =>
        changeInvoice(db, payer, { id: invoice, dueMinor: 10_000, now: fixture.context.clock() }),
      ),
    )
    const refused = way === 'by link' ? await payByLink(fixture, invoice, card.cardToken) : await payer.pay(intent, card)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'amount_changed', message: text, userMessage: text }])
    expect(await countCharges()).toBe(before)
    expect(await payer.readInvoice(invoice)).toMatchObject({ amountDue: 100, canPay: true })
  },
)
