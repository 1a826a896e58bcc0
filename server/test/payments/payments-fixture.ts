import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { Insertable } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '../../src/db/tables/tables.ts'
import { processWebhookEvents } from '../support/jobs.ts'
import { mintScope } from '../../src/session/scope.ts'
import type { PaymentsDeps } from '../../src/payments/payments-deps.ts'
import { sweepAttempts } from '../../src/payments/engine/sweep.ts'
import { type Answer, clientFor, sendRequest, signInAs } from '../support/http-client.ts'
import { type TestContext, testContext } from '../support/test-app.ts'
import { addTenant, addInvoice, listPaymentLinks, queryAsAdministrator } from '../support/people.ts'
import { connectStripe, accountKeys, type TestSandbox, testSandbox } from './sandbox.ts'

export interface PaymentsFixture {
  readonly context: TestContext
  readonly sandbox: TestSandbox
  readonly app: Awaited<ReturnType<TestContext['app']>>
  readonly payments: PaymentsDeps
  /** Advances the context's clock to the real time, which the sandbox uses for dates and signatures. */
  advanceToNow(): void
  close(): Promise<void>
}

/** The clock of payments is the real one, so an invoice with a fixed day would be overdue one day. */
const NEVER_OVERDUE = '2099-12-31'

/** The tests sign in and pay often from one address, and set the clock back by days: no limit is used up by what it counted before. */
const PAYMENT_LIMITS = ['user', 'anonymous', 'address', 'network', 'account', 'payment', 'payer', 'paylink', 'slowmode', 'paypage', 'page']
  .map((name) => `${name}=1000000/1000h`)
  .join(' ')

/** Opens a context and a sandbox. A provider call times out after 1.5 s. */
export const openPaymentsFixture = async (
  settings: Record<string, string> = {},
  options: Pick<PaymentsDeps, 'providers'> = {},
): Promise<PaymentsFixture> => {
  const [context, sandbox] = await Promise.all([
    testContext({ PAYMENT_TIMEOUT_MS: '1500', LIMITS: PAYMENT_LIMITS, ...settings }, options),
    testSandbox(),
  ])
  const advanceToNow = (): void => context.advance(Math.max(0, Date.now() - context.clock().getTime()))
  advanceToNow()
  const app = await context.app()
  const payments = { ...context, onMailQueued: () => undefined }
  return {
    context,
    sandbox,
    app,
    payments,
    advanceToNow,
    close: async () => {
      await context.close()
      await sandbox.close()
    },
  }
}

/** Card numbers of the sandbox's Stripe by behaviour. */
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

export type PayingCustomer = Awaited<ReturnType<typeof addPayingCustomer>>

/** Adds a customer of a reseller with Stripe and everything on, signed in. */
export const addPayingCustomer = async (
  { context, sandbox, app }: PaymentsFixture,
  resellerFields: Partial<Insertable<Tables['reseller']>> = {},
) => {
  const reseller = { payment_type: 1, payments_enabled: true, payments_bulk: true, direct_debit_payment_method_id: 1, ...resellerFields }
  const tenant = await addTenant(context, { reseller })
  await connectStripe(context, sandbox, tenant.resellerId)
  const keys = accountKeys(tenant.resellerId)
  const session = sessionFor(app, context, tenant)
  return {
    ...mintScope(tenant),
    /** The customer's requests. Signs in again when the clock has advanced. */
    me: {
      get: async (url: string) => (await session()).get(url),
      post: async (url: string, body: object, headers: Record<string, string> = {}) => (await session()).post(url, body, headers),
      put: async (url: string, body: object) => (await session()).put(url, body),
      remove: async (url: string) => (await session()).remove(url),
    },
    keys,
    invoice: (more: Partial<Insertable<Tables['invoice']>> = {}) =>
      addInvoice(context, tenant.resellerId, tenant.customerId, { due_on: NEVER_OVERDUE, ...more }),
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
      const method = await sandbox.stripe('/v1/payment_methods', form, keys.page)
      expect(method['id'], JSON.stringify(method)).toMatch(/^pm_/)
      return String(method['id'])
    },
    debitToken: async (number = '000123456'): Promise<string> => {
      const account = { 'au_becs_debit[bsb_number]': '000000', 'au_becs_debit[account_number]': number }
      const billing = { 'billing_details[name]': 'Ada Payer', 'billing_details[email]': 'ada@example.com' }
      const method = await sandbox.stripe(
        '/v1/payment_methods',
        { key: keys.page, type: 'au_becs_debit', ...account, ...billing },
        keys.page,
      )
      expect(method['id'], JSON.stringify(method)).toMatch(/^pm_/)
      return String(method['id'])
    },
    /** Stores a card and returns its id. */
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
    async readIntent(id: string): Promise<PaymentIntent> {
      return (await this.me.get(`/v1/ec/payments/intents/${id}`)).json()
    },
    pay(intent: Pick<PaymentIntent, 'sessionId'>, more: object, headers: Record<string, string> = {}): Promise<Answer> {
      return this.me.post('/v1/ec/payments/pay/bulk', { sessionId: intent.sessionId, ...more }, headers)
    },
    async readInvoice(id: number): Promise<{ invoiceStatus: number; amountDue: number; canPay: boolean }> {
      const list: { id: number; invoiceStatus: number; amountDue: number; canPay: boolean }[] = (
        await this.me.get('/v1/ec/invoices')
      ).json()
      const found = list.find((one) => one.id === id)
      if (found === undefined) throw new Error(`there is no invoice ${id}`)
      return found
    },
  }
}

type Tenant = Awaited<ReturnType<typeof addTenant>>

const sessionFor = (app: PaymentsFixture['app'], context: TestContext, { person, customerId }: Tenant) => {
  let [client, at] = [undefined as ReturnType<typeof clientFor> | undefined, 0]
  return async (): Promise<ReturnType<typeof clientFor>> => {
    const now = context.clock().getTime()
    if (client !== undefined && Math.abs(now - at) < 240_000) return client
    client = clientFor(app, await signInAs(app, person), customerId)
    at = now
    return client
  }
}

/** The payment link of an invoice. */
export const paymentLinkOf = async (context: TestContext, invoiceId: number): Promise<{ token: string; number: string }> => {
  const link = (await listPaymentLinks(context)).find(({ id }) => id === invoiceId)
  return link ?? { token: '', number: '' }
}

/** Pays by link, as the public page does. */
export const payByLink = async (
  { app, context }: PaymentsFixture,
  invoiceId: number,
  cardToken: string,
  more: object = {},
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
): Promise<Answer> => {
  const { token, number } = await paymentLinkOf(context, invoiceId)
  const payload = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer', ...more }
  return sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload, headers, remoteAddress })
}

/** Submits the bank's page; returns the URL that the payer is redirected to. */
export const answerBankPage = async (redirectToUrl: string, outcome: 'complete' | 'fail'): Promise<string> => {
  const answer = await fetch(redirectToUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `outcome=${outcome}`,
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? (await answer.text())
}

/** Sets the clock back to the real time, which the stand-ins keep. */
export const returnToNow = ({ context }: PaymentsFixture): void => context.advance(Date.now() - context.clock().getTime())

/** Runs the worker once. */
export const runWorker = async ({ payments }: PaymentsFixture): Promise<void> => {
  await processWebhookEvents(payments)
  await sweepAttempts(payments)
}

/** Advances the clock and runs the worker. */
export const runWorkerAfter = async (bench: PaymentsFixture, ms: number): Promise<void> => {
  bench.context.advance(ms)
  await runWorker(bench)
}

const sortByReference = (rows: readonly (readonly [string, number])[]) => rows.toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Expects that our ledger equals the sandbox's, payment by payment, that refunds match, and that no invoice was paid twice. */
export const expectBalanced = async ({ context, sandbox }: PaymentsFixture): Promise<void> => {
  const ledger = await sandbox.ledger()
  const ourSums = await queryAsAdministrator<{ id: string; sum: number }>(
    context,
    `select attempt.merchant_reference as id, sum(allocation.amount_minor)::int as sum from payment_allocation allocation
     join payment_attempt attempt on attempt.id = allocation.attempt_id where allocation.kind <> 'refund'
     group by 1 having sum(allocation.amount_minor) <> 0`,
  )
  const ledgerSums = ledger.filter(({ status }) => status === 'succeeded')
  expect(sortByReference(ourSums.map(({ id, sum }) => [id, sum]))).toEqual(
    sortByReference(ledgerSums.map(({ reference, amount }) => [reference, amount])),
  )
  const [refundSum] = await queryAsAdministrator<{ sum: number }>(
    context,
    "select coalesce(sum(-amount_minor), 0)::int as sum from payment_allocation where kind = 'refund'",
  )
  const refunds = ledger.filter(({ status }) => status === 'refunded').reduce((sum, { amount }) => sum + Math.abs(amount), 0)
  expect(refundSum?.sum, 'refunds').toBe(refunds)
  const paidTwice = await queryAsAdministrator(
    context,
    `select customer_id, invoice_id from payment_allocation where invoice_id is not null
     group by 1, 2 having count(distinct attempt_id) filter (where kind = 'pay') > 1 and count(*) filter (where kind = 'reversal') = 0`,
  )
  expect(paidTwice, 'invoices that were paid twice').toEqual([])
}
