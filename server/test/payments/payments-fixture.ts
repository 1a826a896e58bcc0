import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { Insertable } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '../../src/db/tables/tables.ts'
import { processWebhookEvents } from '../../src/payments/webhooks/webhook-events.ts'
import type { PaymentsDeps } from '../../src/payments/payments-deps.ts'
import { sweepAttempts } from '../../src/payments/engine/sweep.ts'
import { type Answer, clientFor, sendRequest, signInAs } from '../support/http-client.ts'
import { type TestContext, testContext } from '../support/test-app.ts'
import { addTenant, addInvoice, queryAsAdministrator } from '../support/people.ts'
import { connectStripe, keysOf, type TestSandbox, testSandbox } from './sandbox.ts'

export interface PaymentBench {
  readonly context: TestContext
  readonly sandbox: TestSandbox
  readonly app: Awaited<ReturnType<TestContext['app']>>
  readonly payments: PaymentsDeps
  /** Brings the house's clock to the real time, by which the sandbox signs and dates, unless it is ahead of it. */
  catchUp(): void
  close(): Promise<void>
}

/** The tests sign in again and again, and pay as often as it takes, from one address. */
const LIMITS = ['user', 'anonymous', 'address', 'network', 'account', 'payment'].map((name) => `${name}=1000000/1s`).join(' ')

/** A house beside a sandbox of its own. A company may take a second and a half to answer. */
export const paymentBench = async (settings: Record<string, string> = {}): Promise<PaymentBench> => {
  const [context, sandbox] = await Promise.all([testContext({ PAYMENT_TIMEOUT_MS: '1500', LIMITS, ...settings }), testSandbox()])
  const catchUp = (): void => context.advance(Math.max(0, Date.now() - context.clock().getTime()))
  catchUp()
  const app = await context.app()
  const payments = { ...context, onMailQueued: () => undefined }
  return {
    context,
    sandbox,
    app,
    payments,
    catchUp,
    close: async () => {
      await context.close()
      await sandbox.close()
    },
  }
}

/** Card numbers of the sandbox's Stripe by what they do. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  broken: '4000000000000119',
  chargesFail: '4000000000000341',
  asks: '4000002760003184',
} as const

export type Payer = Awaited<ReturnType<typeof addPayer>>

/** A customer of a reseller with Stripe, everything on, who is signed in. */
export const addPayer = async ({ context, sandbox, app }: PaymentBench, given: Partial<Insertable<Tables['reseller']>> = {}) => {
  const reseller = { payment_type: 1, payments_enabled: true, payments_bulk: true, direct_debit_payment_method_id: 1, ...given }
  const family = await addTenant(context, { reseller })
  await connectStripe(context, sandbox, family.resellerId)
  const keys = keysOf(family.resellerId)
  const signedIn = signedInAs(app, context, family)
  return {
    ...family,
    /** The customer's own calls. Signs in anew when the clock has gone on. */
    me: {
      get: async (url: string) => (await signedIn()).get(url),
      post: async (url: string, body: object, headers: Record<string, string> = {}) => (await signedIn()).post(url, body, headers),
      put: async (url: string, body: object) => (await signedIn()).put(url, body),
      remove: async (url: string) => (await signedIn()).remove(url),
    },
    keys,
    invoice: (more: Partial<Insertable<Tables['invoice']>> = {}) => addInvoice(context, family.resellerId, family.customerId, more),
    /** A token as the provider's script makes it in the browser. */
    cardToken: async (number: string = CARDS.good): Promise<string> => {
      const form = {
        key: keys.page,
        type: 'card',
        'card[number]': number,
        'card[exp_month]': '12',
        'card[exp_year]': '2031',
        'card[cvc]': '123',
      }
      const made = await sandbox.stripe('/v1/payment_methods', form, keys.page)
      expect(made['id'], JSON.stringify(made)).toMatch(/^pm_/)
      return String(made['id'])
    },
    debitToken: async (number = '000123456'): Promise<string> => {
      const account = { 'au_becs_debit[bsb_number]': '000000', 'au_becs_debit[account_number]': number }
      const owner = { 'billing_details[name]': 'Ada Payer', 'billing_details[email]': 'ada@example.com' }
      const made = await sandbox.stripe('/v1/payment_methods', { key: keys.page, type: 'au_becs_debit', ...account, ...owner }, keys.page)
      expect(made['id'], JSON.stringify(made)).toMatch(/^pm_/)
      return String(made['id'])
    },
    /** Stores a card and gives its id. */
    async storeCard(number: string = CARDS.good): Promise<string> {
      const answer = await this.me.post('/v1/ec/payments/cards', { token: await this.cardToken(number) })
      expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
      return String(answer.json().id)
    },
    async storeDebit(number?: string): Promise<string> {
      const body = { paymentMethodId: await this.debitToken(number), paymentMethodType: 'au_becs_debit' }
      const answer = await this.me.post('/v1/ec/payments/setup-intent', body)
      expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
      return String(answer.json().id)
    },
    async intent(...invoiceIds: number[]): Promise<PaymentIntent> {
      const answer = await this.me.post('/v1/ec/payments/intents', { invoiceIds })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json()
    },
    async intentNow(id: string): Promise<PaymentIntent> {
      return (await this.me.get(`/v1/ec/payments/intents/${id}`)).json()
    },
    pay(intent: Pick<PaymentIntent, 'sessionId'>, more: object, headers: Record<string, string> = {}): Promise<Answer> {
      return this.me.post('/v1/ec/payments/pay/bulk', { sessionId: intent.sessionId, ...more }, headers)
    },
    async invoiceNow(id: number): Promise<{ invoiceStatus: number; amountDue: number; canPay: boolean }> {
      const list: { id: number; invoiceStatus: number; amountDue: number; canPay: boolean }[] = (
        await this.me.get('/v1/ec/invoices')
      ).json()
      const found = list.find((one) => one.id === id)
      if (found === undefined) throw new Error(`there is no invoice ${id}`)
      return found
    },
  }
}

type Family = Awaited<ReturnType<typeof addTenant>>

const signedInAs = (app: PaymentBench['app'], context: TestContext, { person, customerId }: Family) => {
  let [calls, at] = [undefined as ReturnType<typeof clientFor> | undefined, 0]
  return async (): Promise<ReturnType<typeof clientFor>> => {
    const now = context.clock().getTime()
    if (calls !== undefined && Math.abs(now - at) < 240_000) return calls
    calls = clientFor(app, await signInAs(app, person), customerId)
    at = now
    return calls
  }
}

/** An invoice's own token and number. */
export const linkOf = async (context: TestContext, invoiceId: number): Promise<{ token: string; number: string }> => {
  const [row] = await queryAsAdministrator<{ token: string; number: string }>(
    context,
    'select pay_token as token, number from invoice where id = $1',
    [invoiceId],
  )
  return row ?? { token: '', number: '' }
}

/** Pays by link, as the public page does. */
export const payByLink = async (
  { app, context }: PaymentBench,
  invoiceId: number,
  cardToken: string,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const { token, number } = await linkOf(context, invoiceId)
  const payload = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer', ...more }
  return sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload, headers })
}

/** Presses a button of the bank's page; gives the address that the payer comes back to. */
export const answerAtBank = async (redirectToUrl: string, outcome: 'complete' | 'fail'): Promise<string> => {
  const answer = await fetch(redirectToUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `outcome=${outcome}`,
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? (await answer.text())
}

/** What the worker does between two moments. */
export const workRound = async ({ payments }: PaymentBench): Promise<void> => {
  await processWebhookEvents(payments)
  await sweepAttempts(payments)
}

/** Moves the clock and lets the worker look. */
export const afterWaiting = async (bench: PaymentBench, ms: number): Promise<void> => {
  bench.context.advance(ms)
  await workRound(bench)
}

const byReference = (rows: readonly (readonly [string, number])[]) => rows.toSorted(([one], [other]) => (one < other ? -1 : 1))

/**
 * The books: what we booked is what the company's ledger holds, payment by payment, and what it gave back in all; no invoice was paid twice.
 */
export const expectBalanced = async ({ context, sandbox }: PaymentBench): Promise<void> => {
  const ledger = await sandbox.ledger()
  const ours = await queryAsAdministrator<{ id: string; sum: number }>(
    context,
    `select attempt_id::text as id, sum(amount_minor)::int as sum from payment_allocation where kind <> 'refund'
     group by 1 having sum(amount_minor) <> 0`,
  )
  const theirs = ledger.filter(({ status }) => status === 'succeeded')
  expect(byReference(ours.map(({ id, sum }) => [id, sum]))).toEqual(byReference(theirs.map(({ reference, amount }) => [reference, amount])))
  const [back] = await queryAsAdministrator<{ sum: number }>(
    context,
    "select coalesce(sum(-amount_minor), 0)::int as sum from payment_allocation where kind = 'refund'",
  )
  const refunds = ledger.filter(({ status }) => status === 'refunded').reduce((sum, { amount }) => sum + Math.abs(amount), 0)
  expect(back?.sum, 'refunds').toBe(refunds)
  const twice = await queryAsAdministrator(
    context,
    `select customer_id, invoice_id from payment_allocation where invoice_id is not null
     group by 1, 2 having count(distinct attempt_id) filter (where kind = 'pay') > 1 and count(*) filter (where kind = 'reversal') = 0`,
  )
  expect(twice, 'invoices that were paid twice').toEqual([])
}
