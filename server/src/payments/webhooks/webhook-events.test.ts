import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { addPayingCustomer, runWorker } from '../../../test/payments/payments-fixture.ts'
import { WEBHOOK_SECRET } from '../../../test/payments/sandbox.ts'

const { fixture, payer } = await usePayments()

const now = (): number => Math.floor(fixture.context.clock().getTime() / 1_000)

const signature = (raw: string, { at = now(), secret = WEBHOOK_SECRET } = {}): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')}`

const post = (raw: string, header: string | null, path = `/hooks/stripe/${payer.resellerId}`) =>
  fixture.app.inject({
    method: 'POST',
    url: path,
    payload: raw,
    headers: { 'content-type': 'application/json', ...(header === null ? {} : { 'stripe-signature': header }) },
  })

let last = 0
const eventOf = (type: string, attempt: { id: string; ref: string }, id = `evt_test_${(last += 1)}`): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    data: {
      object: { id: attempt.ref, object: 'payment_intent', metadata: { attempt: attempt.id }, status: 'succeeded', amount_received: 1 },
    },
  })

/** A payment whose answer was lost, charged or not. */
const lostPayment = async (booked: boolean) => {
  const intent = await payer.intent(await payer.invoice())
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked })
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  const [attempt] = await queryAsAdministrator<{ id: string; ref: string }>(
    fixture.context,
    'select id::text, provider_ref as ref from payment_attempt where intent_id = $1',
    [intent.id],
  )
  return { intent, attempt: attempt ?? { id: '', ref: '' } }
}

test('[PAY-01] a webhook is answered at once and looked into afterwards: what the provider says when asked counts', async () => {
  const { intent, attempt } = await lostPayment(true)
  const raw = eventOf('payment_intent.succeeded', attempt)
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
  await runWorker(fixture)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
})

test('[PAY-01] a webhook of almost a mebibyte is taken, and a longer one refused', async () => {
  const raw = eventOf('payment_intent.created', { id: 'none', ref: 'pi_none' })
  const longRaw = (bytes: number): string => raw.padEnd(bytes)
  expect((await post(longRaw(1_000_000), signature(longRaw(1_000_000)))).statusCode).toBe(200)
  expect((await post(longRaw(1_100_000), signature(longRaw(1_100_000)))).statusCode).toBe(413)
})

test('[PAY-01] a webhook that names another reference for a payment does not replace its own', async () => {
  const { intent, attempt } = await lostPayment(true)
  const raw = eventOf('payment_intent.succeeded', { ...attempt, ref: 'pi_somebody_else' })
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  await runWorker(fixture)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
})

test.each(['{}', '[]', 'null', '{"id":"evt_1","type":"x","data":{}}', '{"id":"in_1","type":"x","data":{"object":{}}}'])(
  '[PAY-01] a signed webhook that is no event (%s) is refused',
  async (raw) => {
    expect((await post(raw, signature(raw))).statusCode).toBe(400)
  },
)

test('[PAY-01] a webhook that lies, though signed, pays nothing', async () => {
  const { intent, attempt } = await lostPayment(false)
  const raw = eventOf('payment_intent.succeeded', attempt)
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  await runWorker(fixture)
  expect(await payer.readIntent(intent.id)).not.toMatchObject({ status: 3 })
})

test.each([
  ['no signature', () => null],
  ['a signature that is none', () => 'v1=00'],
  ['another secret', (raw: string) => signature(raw, { secret: 'whsec_somebody_else' })],
  ['a signature of six minutes ago', (raw: string) => signature(raw, { at: now() - 360 })],
  ['the signature of another text', () => signature('{}')],
])('[PAY-01] a webhook with %s is refused and forgotten', async (_, header) => {
  const { intent, attempt } = await lostPayment(true)
  const raw = eventOf('payment_intent.succeeded', attempt)
  expect((await post(raw, header(raw))).statusCode).toBe(401)
  await runWorker(fixture)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 2 })
  const good = eventOf('payment_intent.succeeded', attempt)
  await post(good, signature(good))
  await runWorker(fixture)
})

test('[PAY-01] webhooks that come twice, at once, out of order and after the answer change nothing', async () => {
  const { intent, attempt } = await lostPayment(true)
  const same = eventOf('payment_intent.succeeded', attempt, 'evt_twice')
  const others = [
    'payment_intent.payment_failed',
    'payment_intent.processing',
    'payment_intent.succeeded',
    'charge.refunded',
    'payment_intent.canceled',
  ].map((type) => eventOf(type, attempt))
  await Promise.all([same, same, ...others, same].map((raw) => post(raw, signature(raw))))
  await Promise.all([runWorker(fixture), runWorker(fixture)])
  for (const raw of others) await post(raw, signature(raw))
  await runWorker(fixture)
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
  const [stored] = await queryAsAdministrator<{ n: number }>(
    fixture.context,
    "select count(*)::int as n from payment_webhook_event where event_id = 'evt_twice'",
  )
  expect(stored?.n).toBe(1)
})

/** The newest payment at the sandbox's Stripe, once there is one that is not in the list. */
const findNewPayment = async (known: readonly string[]): Promise<string> => {
  const listed = async (): Promise<string[]> => {
    const answer = await fetch(`${fixture.sandbox.url}/stripe/v1/payment_intents?limit=100`, {
      headers: { authorization: `Bearer ${payer.keys.secret}` },
    })
    return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  await expect.poll(async () => (await listed()).filter((id) => !known.includes(id)).length, { timeout: 20_000 }).toBe(1)
  return (await listed()).find((id) => !known.includes(id)) ?? ''
}

const listReferences = async (): Promise<string[]> =>
  (await queryAsAdministrator<{ ref: string | null }>(fixture.context, 'select provider_ref as ref from payment_attempt', [])).flatMap(
    ({ ref }) => ref ?? [],
  )

test('[PAY-01] a webhook that is quicker than the answer to the creation ends nothing: the payment is made', async () => {
  const intent = await payer.intent(await payer.invoice())
  const known = await listReferences()
  await fixture.sandbox.fault({ operation: 'payment', kind: 'slow', ms: 700, booked: true })
  const answer = payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  const ref = await findNewPayment(known)
  const [attempt] = await queryAsAdministrator<{ id: string }>(
    fixture.context,
    'select id::text from payment_attempt where intent_id = $1',
    [intent.id],
  )
  const raw = eventOf('payment_intent.created', { id: attempt?.id ?? '', ref })
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  await runWorker(fixture)
  expect((await answer).json()).toMatchObject({ status: 'succeeded' })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3 })
  const events = await queryAsAdministrator<{ kind: string }>(
    fixture.context,
    "select kind from payment_outbox where payload->>'attemptId' = $1",
    [attempt?.id],
  )
  expect(events).toEqual([{ kind: 'payment.succeeded' }])
})

test('[PAY-01] a payment whose creation was never answered is canceled at the provider as soon as a webhook brings its reference', async () => {
  const intent = await payer.intent(await payer.invoice())
  const known = await listReferences()
  await fixture.sandbox.fault({ operation: 'payment', kind: 'drop', booked: true })
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  const ref = await findNewPayment(known)
  const [attempt] = await queryAsAdministrator<{ id: string; status: string }>(
    fixture.context,
    'select id::text, status from payment_attempt where intent_id = $1',
    [intent.id],
  )
  expect(attempt).toMatchObject({ status: 'not_sent' })
  const raw = eventOf('payment_intent.created', { id: attempt?.id ?? '', ref })
  await post(raw, signature(raw))
  await runWorker(fixture)
  const found = await fetch(`${fixture.sandbox.url}/stripe/v1/payment_intents/${ref}`, {
    headers: { authorization: `Bearer ${payer.keys.secret}` },
  })
  expect(await found.json()).toMatchObject({ status: 'canceled' })
})

test('[PAY-01] a webhook about a payment that nobody knows is kept, answered, and tried again for a day', async () => {
  const raw = eventOf('payment_intent.succeeded', { id: '11111111-1111-4111-8111-111111111111', ref: 'pi_nobody' }, 'evt_nobody')
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  await runWorker(fixture)
  const [kept] = await queryAsAdministrator<{ due: Date | null; error: string }>(
    fixture.context,
    "select run_at as due, last_error as error from job where payload->>'eventId' = 'evt_nobody' and finished_at is null",
  )
  expect(kept).toMatchObject({ due: expect.anything(), error: 'there is no such payment' })
})

test("[PAY-01] another reseller's secret does not sign for this one, and nobody listens at other addresses", async () => {
  const raw = eventOf('payment_intent.succeeded', { id: '', ref: 'pi_1' })
  for (const path of ['/hooks/stripe/987654', '/hooks/nexio/1', `/hooks/moneris/${payer.resellerId}`, '/hooks/stripe/x', '/hooks/stripe/0'])
    expect((await post(raw, signature(raw), path)).statusCode, path).toBe(404)
  const { body } = await post(raw, 'v1=00')
  expect(body).not.toContain(WEBHOOK_SECRET)
})

test('[PAY-01] [PM-11] the provider tells by itself that a debit has settled, and that it came back', async () => {
  const other = await addPayingCustomer(fixture)
  const address = await fixture.app.listen({ port: 0, host: '127.0.0.1' })
  const listener = { key: other.keys.secret, url: `${address}/hooks/stripe/${other.resellerId}`, secret: WEBHOOK_SECRET }
  const registered = await fetch(`${fixture.sandbox.url}/stripe/webhook-endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(listener),
  })
  expect(registered.status).toBe(200)
  const invoice = await other.invoice()
  const intent = await other.intent(invoice)
  await other.pay(intent, { cardId: await other.storeDebit(), type: 'au_becs_debit' })
  const charge = (await fixture.sandbox.ledger()).findLast(({ status }) => status === 'pending')?.id ?? ''
  for (const [outcome, status] of [
    ['succeeded', 11],
    ['returned', 1],
  ] as const) {
    fixture.advanceToNow()
    await fixture.sandbox.settle(charge, outcome)
    await expect
      .poll(
        async () => {
          await runWorker(fixture)
          return (await other.readInvoice(invoice)).invoiceStatus
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(status)
  }
})

test('[PAY-01] a webhook about a payment that nobody knows is given up after a day', async () => {
  const raw = eventOf('payment_intent.succeeded', { id: '22222222-2222-4222-8222-222222222222', ref: 'pi_never' }, 'evt_never')
  expect((await post(raw, signature(raw))).statusCode).toBe(200)
  fixture.context.advance(24 * 3_600_000)
  await runWorker(fixture)
  const rows = await queryAsAdministrator(
    fixture.context,
    `select n.processed_at, j.last_error from payment_webhook_event n join job j on j.payload->>'eventId' = n.event_id
      where n.event_id = 'evt_never' and j.finished_at is not null`,
  )
  expect(rows).toEqual([{ processed_at: fixture.context.clock(), last_error: 'there is no such payment' }])
})
