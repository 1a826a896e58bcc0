import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { sendRequest } from '../../../test/support/http-client.ts'
import { addInvoice, addTenant, queryAsAdministrator } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addMs } from '../../kit/clock.ts'
import { saveAccount } from '../accounts/accounts.ts'
import { mintScope } from '../../session/scope.ts'
import { processWebhookEvents } from '../../../test/support/jobs.ts'
import { reconcile, reconcileAll } from './reconcile.ts'
import { refundAttempt } from './refund.ts'
import { sweepAttempts } from '../engine/sweep.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import type { PaymentProvider, ProviderOf } from '../providers/provider.ts'

/** A provider without idempotency keys, whose look-up tells nothing of refunds. */
const refunded: number[] = []
let isReferenceTaken = false
/** Our references of payments whose bank took the money back. */
const returned: string[] = []
const lookedUp: string[] = []
/** How many days back returns were read each time. */
const daysRead: number[] = []
const entryReferences: (string | null)[] = []
let answer: 'yes' | 'no' | 'lost' | 'never arrived' = 'yes'

/** Lets so many of them go on only once all wait. */
const meetingOf = (size: number) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  return (): Promise<void> => {
    waiting += 1
    if (waiting === size) resolve()
    return promise
  }
}

const TAKEN = 'the reference of another payment'

const toPaid = (merchantReference: string, refundedMinor: bigint | null, minor: bigint): ChargeResult => ({
  state: 'succeeded',
  providerRef: isReferenceTaken ? TAKEN : `ref ${merchantReference}`,
  amount: { minor, currency: 'CAD' },
  refunded: refundedMinor,
  reversed: 0n,
})

const provider: ProviderOf<{ secret: string }> = {
  name: 'moneris',
  reviewText: 'At its desk.',
  account: { settings: Type.Object({ secret: Type.String() }), identifyingSettings: ['secret'], liveHosts: /^vault\.example$/ },
  idempotency: 'never',
  notFoundMeansUnpaidAfterMs: null,
  entry: {
    accepts: ['token'],
    createCardForm: async (_context, purpose) => ({ fields: { key: `public ${purpose}` }, entryReference: 'the key of the form' }),
  },
  storing: {
    pathFamily: 'payments',
    store: async () => ({ state: 'unknown', detail: 'nothing is stored here' }),
    remove: async () => undefined,
  },
  prepareStoredMethodCharge: async () => ({ state: 'not_sent', detail: 'nothing is stored here' }),
  prepareNewCardCharge: async (_context, { amount, merchantReference, entryReference }) => ({
    providerRef: null,
    submit: async () => {
      entryReferences.push(entryReference)
      return answer === 'lost' ? { state: 'unknown', detail: 'no answer' } : toPaid(merchantReference, 0n, amount.minor)
    },
  }),
  lookUp: async (_context, { amount, merchantReference }) => {
    lookedUp.push(merchantReference)
    const result = toPaid(merchantReference, null, amount.minor)
    return returned.includes(merchantReference) && result.state === 'succeeded' ? { ...result, reversed: amount.minor } : result
  },
  refunds: {
    refund: async (_context, order, amount): Promise<ChargeResult> => {
      if (answer === 'no')
        return {
          state: 'declined',
          reason: 'card_declined',
          userMessage: 'Your card was declined.',
          providerCode: '5',
          providerText: 'REFUND NOT ALLOWED',
        }
      if (answer !== 'never arrived') refunded.push(Number(amount.minor))
      if (answer !== 'yes') throw new Error('no answer')
      return toPaid(order.merchantReference, order.refunded + amount.minor, order.amount.minor)
    },
    async *listReturned({ now }, from) {
      daysRead.push(Math.round((now.getTime() - from.getTime()) / 86_400_000))
      if (answer === 'lost') throw new Error('no answer')
      for (const merchantReference of returned) yield { merchantReference, providerRef: `ref ${merchantReference}` }
      yield { merchantReference: null, providerRef: 'of a payment that is not ours' }
    },
  },
  webhooks: {
    isSigned: false,
    parse: (_context, { raw }) => [{ eventId: raw, kind: raw, about: 'payment', merchantReference: raw, providerRef: `forged ${raw}` }],
  },
  redact: (transcript) => transcript,
}

let context: TestContext
let app: Awaited<ReturnType<TestContext['app']>>
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  const providers = () => provider as PaymentProvider
  context = await testContext({}, { providers })
  app = await context.app()
  tenant = await addTenant(context, { reseller: { name: 'Maple', currency: 'CAD', payment_type: 5, payments_enabled: true } })
  const account = { resellerId: tenant.resellerId, provider: 'moneris', baseUrl: 'http://127.0.0.1:1', settings: { secret: 'x' } }
  await saveAccount({ ...context, providers }, account)
})
afterAll(() => context.close())
beforeEach(() => {
  refunded.length = 0
  answer = 'yes'
  isReferenceTaken = false
})

/** Pays an invoice of 110.00 by its link. */
const payInvoice = async (cardToken = 'tok', started = false) => {
  const invoice = await addInvoice(context, tenant.resellerId, tenant.customerId, { currency: 'CAD' })
  const { token, number } = await paymentLinkOf(context, invoice)
  if (started) {
    const start = await sendRequest(app, { method: 'POST', url: `/v1/ec/pay/${token}/card-fields` })
    expect([start.statusCode, start.json()]).toEqual([200, { fields: { key: 'public pay' } }])
  }
  const body = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer' }
  const response = await sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload: body })
  return { invoice, status: response.statusCode }
}

/** Pays an invoice, which succeeds. @returns the payment's id */
const pay = async (): Promise<string> => {
  const { invoice, status } = await payInvoice()
  expect(status).toBe(200)
  return (await attemptOf(invoice)).id
}

const attemptOf = async (invoice: number): Promise<{ id: string; status: string }> => {
  const [row] = await queryAsAdministrator<{ id: string; status: string }>(
    context,
    'select a.id, a.status from payment_attempt_item i join payment_attempt a on a.customer_id = i.customer_id and a.id = i.attempt_id where i.invoice_id = $1',
    [invoice],
  )
  if (row === undefined) throw new Error('the invoice has no payment')
  return row
}

const refund = (id: string, options: Readonly<Record<string, string | boolean>> = {}) =>
  runPaymentsCommand(context, 'payments refund', [id], { yes: true, json: true, ...options })

test('[PAY-01] a refund whose answer was lost is not sent again: a person sees at the desk that it was made', async () => {
  const id = await pay()
  answer = 'lost'
  expect((await refund(id, { amount: '10' })).err.join()).toContain('no clear answer of moneris')
  answer = 'yes'
  for (const options of [{ amount: '10' }, { amount: '20' }, {}])
    expect((await refund(id, options)).err.join()).toContain('an earlier refund of 10.00 CAD was made. See at')
  expect((await refund(id, { made: true })).json()).toMatchObject({
    refunded: '10.00',
    attempt: { status: 'succeeded', refunded: '10.00' },
  })
  expect(refunded).toEqual([1_000])
  expect((await refund(id)).json()).toMatchObject({ refunded: '100.00', attempt: { status: 'refunded' } })
  expect(refunded).toEqual([1_000, 10_000])
})

test('[PAY-01] or that it was not made, and then it is sent', async () => {
  const id = await pay()
  answer = 'never arrived'
  expect((await refund(id, { amount: '10' })).code).toBe(1)
  answer = 'yes'
  expect((await refund(id, { amount: '10', notMade: true })).json()).toMatchObject({ refunded: '10.00' })
  expect(refunded).toEqual([1_000])
})

test('[PAY-01] a refund that was refused leaves no doubt behind', async () => {
  const id = await pay()
  answer = 'no'
  for (let tries = 0; tries < 2; tries += 1) {
    const said = (await refund(id)).err.join()
    expect(said).toContain('moneris refused the refund (5, "REFUND NOT ALLOWED"). Nothing was refunded.')
    expect(said).not.toMatch(/nobody knows|your card/i)
  }
  answer = 'yes'
  expect((await refund(id)).json()).toMatchObject({ refunded: '110.00', attempt: { status: 'refunded' } })
  expect(refunded).toEqual([11_000])
})

test('[PAY-01] two refunds of one payment at the same moment: one is sent', async () => {
  const key = mintScope({ ...tenant, id: await pay() })
  const meet = meetingOf(2)
  // Both have read the payment before either marks its refund as sent.
  const refundOnce = (): Promise<unknown> => {
    let isRead = false
    const transact: TestContext['store']['transact'] = async (as, work, options) => {
      if (isRead) await meet()
      return context.store.transact(as, work, options)
    }
    const amountOf = (): number => {
      isRead = true
      return 1_000
    }
    const deps = {
      ...context,
      store: { ...context.store, transact },
      providers: () => provider as PaymentProvider,
      onMailQueued: () => undefined,
    }
    return refundAttempt(deps, key, { amountOf, operatorSaw: null })
  }
  const outcomes = await Promise.allSettled([refundOnce(), refundOnce()])
  expect(refunded).toEqual([1_000])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('[PAY-01] [OPS-03] a refund that was made at the desk of a provider that does not tell of it is recorded', async () => {
  const id = await pay()
  expect((await refund(id, { amount: '30', made: true })).json()).toMatchObject({ refunded: '30.00', attempt: { refunded: '30.00' } })
  expect((await refund(id, { amount: '5', made: true, notMade: true })).err.join()).toContain('either --made or --not-made')
  expect(refunded).toEqual([])
})

test('[PAY-01] an answer with the reference of another payment is unknown, is looked up, and ends with an operator', async () => {
  isReferenceTaken = true
  await pay()
  const { status, invoice } = await payInvoice()
  expect([status, (await attemptOf(invoice)).status]).toEqual([200, 'unknown'])
  for (let day = 1; day <= 15; day += 1)
    await sweepAttempts({ ...context, clock: () => addMs(context.clock(), day * 86_400_000), onMailQueued: () => undefined })
  expect((await attemptOf(invoice)).status).toBe('manual')
})

test('[PAY-01] a return that the provider lists is a reversal, once, and what is not ours is passed over', async () => {
  const id = await pay()
  returned.push(id)
  for (const _ of ['first', 'second'])
    expect(await reconcile({ ...context, onMailQueued: () => undefined }, tenant.resellerId, 35)).toEqual({
      reconciled: [],
      failed: [],
    })
  const events = await queryAsAdministrator<{ kind: string }>(context, "select kind from payment_outbox where payload->>'attemptId' = $1", [
    id,
  ])
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(['payment.reversed', 'payment.succeeded'])
})

test('[PAY-01] the daily comparison reads the returns since it read them last and a few days before, and none is left out', async () => {
  const compareOn = async (day: number): Promise<void> => {
    await reconcileAll({ ...context, clock: () => addMs(context.clock(), day * 86_400_000), onMailQueued: () => undefined })
  }
  await queryAsAdministrator(context, 'update payment_account set returns_read_at = null')
  daysRead.length = 0
  for (const day of [0, 1]) await compareOn(day)
  answer = 'lost'
  for (const day of [2, 3]) await compareOn(day)
  answer = 'yes'
  for (const day of [60, 61]) await compareOn(day)
  expect(daysRead).toEqual([35, 5, 5, 6, 63, 5])
  await reconcile({ ...context, onMailQueued: () => undefined }, tenant.resellerId, 90)
  expect(daysRead.at(-1)).toBe(90)
})

test('[PAY-01] a webhook that proves nothing is a hint to look up a payment that exists, once a minute, and nothing of it is stored', async () => {
  answer = 'lost'
  const { invoice } = await payInvoice()
  const { id } = await attemptOf(invoice)
  for (const raw of [id, id, 'no payment of ours'])
    expect(await app.inject({ method: 'POST', url: `/hooks/moneris/${tenant.resellerId}`, payload: raw })).toMatchObject({
      statusCode: 200,
    })
  const stored = await queryAsAdministrator<{ kind: string; subject: object }>(context, 'select kind, subject from payment_webhook_event')
  expect(stored).toEqual([{ kind: 'hint', subject: { merchantReference: id } }])
  lookedUp.length = 0
  const later = () => addMs(context.clock(), 180_000)
  await processWebhookEvents({ ...context, clock: later, onMailQueued: () => undefined })
  expect(lookedUp).toEqual([id])
  expect(await attemptOf(invoice)).toEqual({ id, status: 'succeeded' })
})

test('[SP-03] [PAY-01] what the provider gave when its fields began comes back to it with their token, and only then', async () => {
  entryReferences.length = 0
  await payInvoice('the key of the form', true)
  await payInvoice('another token', true)
  await payInvoice('the key of the form')
  expect(entryReferences).toEqual(['the key of the form', null, null])
})
