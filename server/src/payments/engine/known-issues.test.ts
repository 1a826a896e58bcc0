/** Bugs that were reported publicly in other projects: one test for each report. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import {
  addPayingCustomer,
  runWorkerAfter,
  answerBankPage,
  CARDS,
  payByLink,
  type PayingCustomer,
  runWorker,
} from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { WEBHOOK_SECRET } from '../../../test/payments/sandbox.ts'
import { findAccount } from '../accounts/accounts.ts'
import { chargeIntent } from './charge.ts'
import { type CrashPlan, ServerProcess } from '../../../test/payments/fault-injection/crashing-server.ts'

const MINUTE = 60_000
const CARD = { cardHolder: 'Ada Payer' }

const { fixture, payer } = await usePayments()

/** How many charges the provider has made in all. */
const countCharges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

interface SentAttempt {
  readonly id: string
  readonly ref: string
  readonly status: string
}

const listAttempts = (intentId: string): Promise<SentAttempt[]> =>
  queryAsAdministrator(
    fixture.context,
    'select id::text, provider_ref as ref, status from payment_attempt where intent_id = $1 order by created_at',
    [intentId],
  )

const sumAllocations = async (invoice: number): Promise<number> => {
  const [row] = await queryAsAdministrator<{ sum: number }>(
    fixture.context,
    'select coalesce(sum(amount_minor), 0)::int as sum from payment_allocation where invoice_id = $1',
    [invoice],
  )
  return row?.sum ?? 0
}

let eventCount = 0
/** Sends a webhook; returns the status of the response. */
const sendWebhook = async (type: string, attempt: Pick<SentAttempt, 'id' | 'ref'>, of: PayingCustomer = payer): Promise<number> => {
  const object = { id: attempt.ref, object: 'payment_intent', metadata: { attempt: attempt.id }, status: 'succeeded' }
  const raw = JSON.stringify({ id: `evt_cited_${(eventCount += 1)}`, object: 'event', type, data: { object } })
  const at = Math.floor(fixture.context.clock().getTime() / 1_000)
  const signature = `t=${at},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${raw}`).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await fixture.app.inject({ method: 'POST', url: `/hooks/stripe/${of.resellerId}`, payload: raw, headers })).statusCode
}

/** A payment whose payer has confirmed on the bank's page. */
const payConfirmedAtBank = async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.asks), ...CARD })
  const page = new URL(await answerBankPage(String(answer.json().redirectToUrl), 'complete'))
  const [attempt = { id: '', ref: '', status: '' }] = await listAttempts(intent.id)
  const comeBack = () =>
    payer.me.post('/v1/ec/payments/confirmation/result', {
      paymentIntent: attempt.ref,
      paymentIntentClientSecret: page.searchParams.get('payment_intent_client_secret'),
      sourceType: null,
      reqUid: page.searchParams.get('req_uid'),
    })
  return { invoice, intent, attempt, comeBack }
}

/** A payment whose answer was lost, charged or not. */
const payUnanswered = async (booked: boolean) => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked })
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
  const [attempt = { id: '', ref: '', status: '' }] = await listAttempts(intent.id)
  return { invoice, intent, attempt, answer }
}

const findOut = async (): Promise<void> => {
  for (const minutes of [1, 3, 6, 16]) await runWorkerAfter(fixture, minutes * MINUTE)
}

/** Pays on a server that crashes. */
const payAndDie = async (crash: CrashPlan) => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const server = new ServerProcess(crash)
  const dying = { ...fixture.payments, store: server.store(fixture.context.store) }
  const account = await findAccount(fixture.payments, payer.resellerId)
  if (account === null) throw new Error('the provider is not connected')
  const source = { card: { typedMethod: { kind: 'token', token: await payer.cardToken() } as const, holder: 'Ada Payer' } }
  const request = {
    intentId: intent.id,
    source,
    methodId: null,
    methodType: 'card',
    isDebit: false,
    submission: null,
    receiptEmail: null,
    shownMinor: null,
  }
  await expect(chargeIntent(dying, account, payer, { ...request, returnUrl: null, client: null })).rejects.toThrow()
  expect(server.isDead).toBe(true)
  return { invoice, intent }
}
/** Crashes after claim, submission and the provider's reference, before the result is written. */
const AFTER_PROVIDER_CALL: CrashPlan = { effect: 4, when: 'before' }

test('[PAY-01] medusa#13301: the webhook and the return at once, ten times: the payment is there each time', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { invoice, attempt, comeBack } = await payConfirmedAtBank()
    const [answer] = await Promise.all([
      comeBack(),
      sendWebhook('payment_intent.succeeded', attempt).then(() => runWorker(fixture)),
      sendWebhook('payment_intent.succeeded', attempt).then(() => runWorker(fixture)),
    ])
    expect(answer.json()).toMatchObject({ status: 3 })
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
    expect(await sumAllocations(invoice)).toBe(11_000)
  }
})

test('[PAY-01] medusa#2948: the webhook comes while the payment is still being answered: one payment, booked once', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'slow', ms: 700, booked: true })
  const paying = payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
  await expect.poll(async () => (await listAttempts(intent.id))[0]?.ref ?? null).not.toBeNull()
  const [attempt = { id: '', ref: '' }] = await listAttempts(intent.id)
  expect(await sendWebhook('payment_intent.succeeded', attempt)).toBe(200)
  await runWorker(fixture)
  await paying
  await findOut()
  expect(await listAttempts(intent.id)).toMatchObject([{ status: 'succeeded' }])
  expect(await sumAllocations(invoice)).toBe(11_000)
})

test('[PAY-01] saleor#12652: the webhook first, the return late: the return finds it paid, and adds nothing', async () => {
  const { invoice, intent, attempt, comeBack } = await payConfirmedAtBank()
  await sendWebhook('payment_intent.succeeded', attempt)
  await runWorker(fixture)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  for (let visit = 0; visit < 3; visit += 1) expect((await comeBack()).json()).toMatchObject({ status: 3, id: intent.id })
  expect(await sumAllocations(invoice)).toBe(11_000)
})

test('[PAY-01] saleor#14648: an amount that arrives by the response, the webhook and the look-up at once counts once', async () => {
  const { invoice, attempt } = await payUnanswered(true)
  for (let copy = 0; copy < 5; copy += 1) await sendWebhook('charge.succeeded', attempt)
  fixture.context.advance(3 * MINUTE)
  await Promise.all(Array.from({ length: 5 }, () => runWorker(fixture)))
  expect(await sumAllocations(invoice)).toBe(11_000)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
})

test('[PAY-01] saleor#19220: a second try while the first is open makes no second payment at the provider that could be confirmed', async () => {
  const before = await countCharges()
  const invoice = await payer.invoice()
  const [first, second] = [await payer.intent(invoice), await payer.intent(invoice)]
  const asked = await payer.pay(first, { cardToken: await payer.cardToken(CARDS.asks), ...CARD })
  const again = await payer.pay(second, { cardToken: await payer.cardToken(CARDS.asks), ...CARD })
  expect(again.json(), again.body).toMatchObject({ status: 'requires_action' })
  // The page of the first is still open in another tab.
  await answerBankPage(String(asked.json().redirectToUrl), 'complete').catch(() => undefined)
  await answerBankPage(String(again.json().redirectToUrl), 'complete')
  await findOut()
  expect((await countCharges()) - before).toBe(1)
  expect(await sumAllocations(invoice)).toBe(11_000)
})

test('[PAY-01] vendure#2620: two open checkouts of the same invoice: one is paid, the other refused', async () => {
  const before = await countCharges()
  const invoice = await payer.invoice()
  const tabs = [await payer.intent(invoice), await payer.intent(await payer.invoice(), invoice)]
  const cardId = await payer.storeCard()
  const answers = await Promise.all(tabs.map((tab) => payer.pay(tab, { cardId })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  for (const tab of tabs) await payer.pay(tab, { cardId })
  expect((await countCharges()) - before).toBe(1)
})

test('[PAY-01] pinelab-vendure-plugins#620: three webhooks of one success settle once', async () => {
  const { invoice, intent, attempt } = await payUnanswered(true)
  await Promise.all([1, 2, 3].map(() => sendWebhook('payment_intent.succeeded', attempt)))
  await Promise.all([runWorker(fixture), runWorker(fixture), runWorker(fixture)])
  expect(await sumAllocations(invoice)).toBe(11_000)
  const outbox = await queryAsAdministrator(
    fixture.context,
    "select id from payment_outbox where kind = 'payment.succeeded' and payload->>'attemptId' = $1",
    [attempt.id],
  )
  expect(outbox).toHaveLength(1)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
})

test('[PAY-01] craft-commerce-stripe#207: four submits while the bank asks are one charge', async () => {
  const before = await countCharges()
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const key = { 'idempotency-key': 'four-times-one-submission' }
  const token = await payer.cardToken(CARDS.asks)
  const answers = await Promise.all([1, 2, 3, 4].map(() => payer.pay(intent, { cardToken: token, ...CARD }, key)))
  const pages = new Set(answers.flatMap((answer) => (answer.statusCode === 200 ? [answer.json().redirectToUrl] : [])).filter(Boolean))
  for (const page of pages) await answerBankPage(String(page), 'complete')
  await findOut()
  expect((await countCharges()) - before).toBe(1)
  expect(await sumAllocations(invoice)).toBe(11_000)
})

test('[PAY-01] woocommerce-gateway-stripe#3725: it halts after the confirmation, and a retry does not charge again', async () => {
  const before = await countCharges()
  const { invoice, intent } = await payAndDie(AFTER_PROVIDER_CALL)
  const again = await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
  expect([200, 409], again.body).toContain(again.statusCode)
  expect((await countCharges()) - before).toBe(1)
  await findOut()
  expect((await payByLink(fixture, invoice, await payer.cardToken())).statusCode).toBe(409)
  expect((await countCharges()) - before).toBe(1)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] hyperswitch#3408: an event for the billing engine can be read until it has been read', async () => {
  const invoice = await payer.invoice()
  await payer.pay(await payer.intent(invoice), { cardToken: await payer.cardToken(), ...CARD })
  interface BillingEvent {
    readonly kind: string
    readonly invoices: readonly { readonly id: number }[]
  }
  const read = async (): Promise<BillingEvent[]> => {
    const said = await runPaymentsCommand(fixture.context, 'events', [], { json: true, most: '1000' })
    return said.out.map((line) => JSON.parse(line) as BillingEvent).filter(({ invoices }) => invoices[0]?.id === invoice)
  }
  const first = await read()
  expect(first).toMatchObject([{ kind: 'payment.succeeded' }])
  // The reader crashed after reading: everything is still there.
  expect(await read()).toEqual(first)
})

test('[PAY-01] lago-api#2825: the worker is killed after the provider charged: the payment has a row, and is found', async () => {
  const { invoice, intent } = await payAndDie(AFTER_PROVIDER_CALL)
  expect(await listAttempts(intent.id)).toMatchObject([{ status: 'submitting', ref: expect.stringMatching(/^pi_/) }])
  await findOut()
  expect(await listAttempts(intent.id)).toMatchObject([{ status: 'succeeded' }])
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] akash-console#3449: the same job delivered three times charges once, also when the first response was lost', async () => {
  const other = await addPayingCustomer(fixture, { customer_permission_for_charging: false })
  await other.storeCard()
  const invoice = await other.invoice({ due_on: fixture.context.clock().toISOString().slice(0, 10) })
  const before = await countCharges()
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: true })
  const run = () => runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(other.resellerId), json: true })
  await Promise.all([run(), run(), run()])
  await run()
  await findOut()
  expect((await countCharges()) - before).toBe(1)
  expect(await other.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] adyen-commercetools#1305: a key is the same submission, whatever else the request says', async () => {
  const before = await countCharges()
  const invoice = await payer.invoice()
  const key = (agent: string) => ({ 'idempotency-key': 'a-submission-with-volatile-fields', 'user-agent': agent })
  const first = await payByLink(fixture, invoice, await payer.cardToken(), { email: 'ada@example.com' }, key('one browser'))
  const second = await payByLink(fixture, invoice, await payer.cardToken(), { email: 'other@example.com' }, key('another'))
  expect([first.statusCode, second.statusCode], second.body).toEqual([200, 200])
  expect((await countCharges()) - before).toBe(1)
})

test('[PAY-01] killbill#1015: while one payment is unknown, no other of the same invoice gets through', async () => {
  const { invoice } = await payUnanswered(true)
  const before = await countCharges()
  // The provider does not answer look-ups either.
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error', times: 3 })
  const other = await payer.intent(invoice).catch(() => null)
  const tries = [
    payByLink(fixture, invoice, await payer.cardToken()),
    ...(other === null ? [] : [payer.pay(other, { cardToken: await payer.cardToken(), ...CARD })]),
  ]
  for (const { statusCode } of await Promise.all(tries)) expect(statusCode).toBe(409)
  expect(await countCharges()).toBe(before)
  await findOut()
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] ps_checkout#1546: an unknown outcome is not reported as failed, so that nobody pays again', async () => {
  const { intent, answer } = await payUnanswered(true)
  expect(answer.json()).toMatchObject({ status: 'processing' })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
  const before = await countCharges()
  await payer.pay(intent, { cardToken: await payer.cardToken(), ...CARD })
  expect(await countCharges()).toBe(before)
  await findOut()
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
})

test('[PAY-01] statamic-cargo#190: a webhook that comes before its payment is known is not lost', async () => {
  const { invoice, attempt } = await payUnanswered(true)
  // As if its row were committed a moment later: the webhook names an unknown payment.
  await queryAsAdministrator(fixture.context, 'update payment_attempt set provider_ref = null where id = $1', [attempt.id])
  expect(await sendWebhook('payment_intent.succeeded', { id: '', ref: attempt.ref })).toBe(200)
  await runWorker(fixture)
  expect(await payer.readInvoice(invoice)).not.toMatchObject({ invoiceStatus: 11 })
  await queryAsAdministrator(fixture.context, 'update payment_attempt set provider_ref = $2, next_check_at = $3 where id = $1', [
    attempt.id,
    attempt.ref,
    new Date(fixture.context.clock().getTime() + 86_400_000),
  ])
  await runWorkerAfter(fixture, 2 * MINUTE)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] 3scale-porta#3086: a webhook about a payment that is not ours is answered with 200, or the provider would stop sending', async () => {
  for (const type of ['payment_intent.succeeded', 'customer.created', 'payout.paid', 'something.new'])
    expect(await sendWebhook(type, { id: '', ref: `pi_foreign_${eventCount}` }), type).toBe(200)
  await runWorker(fixture)
})

test('[PAY-01] Eventra#17830: a webhook event that could not be processed was answered with 200, and is processed again', async () => {
  const { invoice, intent, attempt } = await payUnanswered(true)
  expect(await sendWebhook('payment_intent.succeeded', attempt)).toBe(200)
  const broken = { ...fixture.context.store, transact: () => Promise.reject(new Error('the database is away')) }
  // The worker crashes after leasing the event; the lease expires later.
  const server = new ServerProcess({ effect: 1, when: 'after' })
  await runWorker({ ...fixture, payments: { ...fixture.payments, store: server.store(fixture.context.store) } }).catch(() => undefined)
  await runWorker({ ...fixture, payments: { ...fixture.payments, store: broken } }).catch(() => undefined)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
  await queryAsAdministrator(fixture.context, 'update payment_attempt set next_check_at = $2 where id = $1', [
    attempt.id,
    new Date(fixture.context.clock().getTime() + 86_400_000),
  ])
  await runWorkerAfter(fixture, 3 * MINUTE)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})
