import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { answerBankPage, CARDS, runWorker, runWorkerAfter } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { runCommand } from '../../../test/support/operator.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { lookUpAttempt } from '../engine/look-up.ts'
import { settleAttempt } from '../engine/settle.ts'

const { fixture, payer } = await usePayments({}, { PAYMENT_TIMEOUT_MS: '20000' })

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-overpaid-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let count = 0
const newInvoice = async (): Promise<{ id: number; key: string }> => {
  const key = `OVER-${(count += 1)}`
  return { id: await payer.invoice({ external_id: key, number: key }), key }
}

/** The billing engine sends an invoice again, as it knows it now. */
const importInvoice = async (key: string, row: { amount?: string; amountDue: string; status?: string }): Promise<void> => {
  const path = join(folder, `${key}.csv`)
  const { amount = '110.00', amountDue, status = 'open' } = row
  const columns = 'customer,externalId,number,netAmount,amount,amountDue,dateInvoice,dateDue,status'
  await writeFile(path, `${columns}\n${payer.customerId},${key},${key},100.00,${amount},${amountDue},2026-11-01,2026-11-30,${status}\n`)
  const result = await runCommand(fixture.context, 'import', 'invoices', path, '--reseller', String(payer.resellerId))
  expect(result.exit, result.err).toBe(0)
}

interface Attempt {
  readonly id: string
  readonly ref: string
  readonly status: string
}

const readAttempt = async (intentId: string): Promise<Attempt> => {
  const [attempt = { id: '', ref: '', status: '' }] = await queryAsAdministrator<Attempt>(
    fixture.context,
    'select id::text, provider_ref as ref, status from payment_attempt where intent_id = $1 order by created_at desc limit 1',
    [intentId],
  )
  return attempt
}

/** A payment whose payer is sent to the bank, and has not answered there. */
const payAtBank = async (id: number) => {
  const intent = await payer.intent(id)
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.asks), cardHolder: 'Ada Payer' })
  return { intent, attempt: await readAttempt(intent.id), page: String(answer.json().redirectToUrl) }
}

/** What Stripe says of a payment. */
const readAtStripe = async (ref: string): Promise<string> => {
  const headers = { authorization: `Bearer ${payer.keys.secret}` }
  const answer = await fetch(`${fixture.sandbox.url}/stripe/v1/payment_intents/${ref}`, { headers })
  return ((await answer.json()) as { status: string }).status
}

const payByCard = async (id: number): Promise<Attempt> => {
  const intent = await payer.intent(id)
  const answer = await payer.pay(intent, { cardId: await payer.storeCard() })
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return readAttempt(intent.id)
}

const chargeIdOf = async (attemptId: string): Promise<string> =>
  (await fixture.sandbox.ledger()).find(({ reference }) => reference === attemptId)?.id ?? ''

/** A debit that has settled. */
const payByDebit = async (id: number): Promise<Attempt> => {
  const intent = await payer.intent(id)
  await payer.pay(intent, { cardId: await payer.storeDebit(), type: 'au_becs_debit' })
  const attempt = await readAttempt(intent.id)
  await fixture.sandbox.settle(await chargeIdOf(attempt.id), 'succeeded')
  return lookUp(attempt)
}

const reverse = async (attempt: Attempt): Promise<Attempt> => {
  expect(await fixture.sandbox.settle(await chargeIdOf(attempt.id), 'returned')).toBe(200)
  return lookUp(attempt)
}

const lookUp = async (attempt: Attempt): Promise<Attempt> => {
  const { status } = await lookUpAttempt(fixture.payments, { ...payer, id: attempt.id }, 'webhook')
  return { ...attempt, status }
}

/** A payment of 110.00 of which 40.00 are refunded at the provider. */
const payAndRefund = async (id: number): Promise<Attempt> => {
  const attempt = await payByCard(id)
  await fixture.sandbox.stripe('/v1/refunds', { payment_intent: attempt.ref, amount: '4000' }, payer.keys.secret)
  return attempt
}

/** The provider tells what has gone back of it. */
const hearOf = ({ id, ref }: Pick<Attempt, 'id' | 'ref'>, refunded: bigint, reversed: bigint) => {
  const amount = { minor: 11_000n, currency: 'AUD' }
  return settleAttempt(fixture.payments, { ...payer, id }, { state: 'succeeded', providerRef: ref, amount, refunded, reversed }, 'webhook')
}

const lastEvent = async (attemptId: string) => {
  const [event] = await queryAsAdministrator<{ kind: string; payload: Record<string, unknown> }>(
    fixture.context,
    "select kind, payload from payment_outbox where payload->>'attemptId' = $1 order by id desc limit 1",
    [attemptId],
  )
  return event
}

const historyOf = async (id: number): Promise<object[]> => (await payer.me.get(`/v1/ec/invoices/${id}/payments`)).json().payments

const runPayments = (command: string, args: readonly string[] = [], options = {}) =>
  runPaymentsCommand(fixture.context, `payments ${command}`, args, options)
const listQueue = async () =>
  (await runPayments('queue', [], { json: true })).json<
    Record<'drifts', { kind: string; attemptId: string; ours: string; theirs: string }[]>
  >().drifts
const queueOf = async (attemptId: string) => (await listQueue()).filter((found) => found.attemptId === attemptId)

describe('[PAY-01] an invoice that the billing engine changes while its payer stands at the bank', () => {
  test('is given up at the provider: what the payer completes there moves nothing, and the new amount can be paid', async () => {
    const { id, key } = await newInvoice()
    const { intent, attempt, page } = await payAtBank(id)
    await importInvoice(key, { amountDue: '60.00' })
    await runWorker(fixture)
    expect(await readAttempt(intent.id)).toMatchObject({ status: 'expired' })
    await answerBankPage(page, 'complete')
    expect(await lookUp(attempt)).toMatchObject({ status: 'expired' })
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 60, canPay: true })
    await payByCard(id)
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 0, invoiceStatus: 11 })
  })

  test('an import that changes nothing of it leaves the payment alone', async () => {
    const { id, key } = await newInvoice()
    const { attempt, page } = await payAtBank(id)
    await importInvoice(key, { amountDue: '110.00' })
    await runWorker(fixture)
    expect(await lookUp(attempt)).toMatchObject({ status: 'requires_action' })
    await answerBankPage(page, 'complete')
    expect(await lookUp(attempt)).toMatchObject({ status: 'succeeded' })
  })

  test('while the payment is being created: it is not confirmed, and nothing is charged', async () => {
    const { id, key } = await newInvoice()
    const [intent, cardId] = [await payer.intent(id), await payer.storeCard()]
    await fixture.sandbox.fault({ operation: 'payment', kind: 'slow', ms: 2_500, booked: true })
    const paying = payer.pay(intent, { cardId })
    await expect.poll(async () => (await readAttempt(intent.id)).status, { interval: 5 }).toBe('submitting')
    await importInvoice(key, { amountDue: '60.00' })
    const answer = await paying
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'amount_changed'])
    const { status, ref } = await readAttempt(intent.id)
    expect([status, await readAtStripe(ref)]).toEqual(['not_sent', 'canceled'])
    expect(await historyOf(id)).toEqual([expect.objectContaining({ reason: 'The amount due had changed. Nothing was charged.' })])
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 60, canPay: true })
  })

  test('nor is one that was given up before it was created', async () => {
    const { id } = await newInvoice()
    const [intent, cardId] = [await payer.intent(id), await payer.storeCard()]
    await fixture.sandbox.fault({ operation: 'payment', kind: 'slow', ms: 2_500, booked: true })
    const paying = payer.pay(intent, { cardId })
    await expect.poll(async () => (await readAttempt(intent.id)).status, { interval: 5 }).toBe('submitting')
    await runWorkerAfter(fixture, 3 * 60_000)
    expect(await readAttempt(intent.id)).toMatchObject({ status: 'not_sent' })
    expect((await paying).json()).not.toMatchObject({ status: 'succeeded' })
    expect(await readAttempt(intent.id)).toMatchObject({ status: 'not_sent' })
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 110, canPay: true })
  })

  test.each([
    ['lowered', { amountDue: '60.00' }, 50],
    ['paid elsewhere', { amountDue: '0.00', status: 'paid' }, 110],
    ['credited', { amountDue: '0.00', status: 'credited' }, 110],
  ])('and who was faster: the surplus of an invoice that was %s is told to everybody, until it is refunded', async (_, row, surplus) => {
    const { id, key } = await newInvoice()
    const { attempt, page } = await payAtBank(id)
    await answerBankPage(page, 'complete')
    await importInvoice(key, row)
    expect(await lookUp(attempt)).toMatchObject({ status: 'succeeded' })

    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 0, canPay: false })
    expect(await historyOf(id)).toEqual([expect.objectContaining({ amount: 110, overpaid: surplus, outcome: 'paid' })])
    expect(await lastEvent(attempt.id)).toMatchObject({
      kind: 'payment.succeeded',
      payload: { overpaid: surplus.toFixed(2), invoices: [{ id, amount: '110.00', overpaid: surplus.toFixed(2) }] },
    })
    const due = (110 - surplus).toFixed(2)
    expect(await queueOf(attempt.id)).toEqual([expect.objectContaining({ kind: 'overpaid', ours: due, theirs: '110.00' })])
    expect((await runPayments('queue')).out.join('\n')).toContain(`overpaid: ${due} was due, 110.00 was charged (AUD)`)
    fixture.context.advance(2 * 3_600_000)
    await runPayments('reconcile', [], { reseller: String(payer.resellerId) })
    expect(await queueOf(attempt.id)).toHaveLength(1)

    await runPayments('refund', [attempt.id], { amount: surplus.toFixed(2), yes: true })
    expect(await historyOf(id)).toEqual([expect.objectContaining({ overpaid: 0, cameBack: surplus })])
    expect(await queueOf(attempt.id)).toEqual([])
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 0 })
  })
})

describe('[PAY-01] a reversal never asks for what is paid otherwise', () => {
  test('what was overpaid goes first, and only the rest is due again', async () => {
    const { id, key } = await newInvoice()
    const intent = await payer.intent(id)
    await payer.pay(intent, { cardId: await payer.storeDebit(), type: 'au_becs_debit' })
    const attempt = await readAttempt(intent.id)
    await importInvoice(key, { amountDue: '0.00', status: 'paid' })
    await fixture.sandbox.settle(await chargeIdOf(attempt.id), 'succeeded')
    await lookUp(attempt)
    expect(await queueOf(attempt.id)).toHaveLength(1)
    expect(await reverse(attempt)).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 0, invoiceStatus: 11, canPay: false })
    expect(await queueOf(attempt.id)).toEqual([])
    expect(await lastEvent(attempt.id)).toMatchObject({ kind: 'payment.reversed', payload: { overpaid: '0.00' } })
  })

  test('an amount that the billing engine lowered after the payment is not exceeded', async () => {
    const { id, key } = await newInvoice()
    const attempt = await payByDebit(id)
    await importInvoice(key, { amount: '60.00', amountDue: '0.00', status: 'paid' })
    await reverse(attempt)
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 60, canPay: true })
  })

  test('a part that was paid elsewhere before is not due again', async () => {
    const { id, key } = await newInvoice()
    await importInvoice(key, { amountDue: '60.00' })
    const attempt = await payByDebit(id)
    await reverse(attempt)
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue: 60, canPay: true })
  })
})

test('[PAY-01] a refund that is heard of after the chargeback of the whole: the ledger never holds more than the company', async () => {
  const { id } = await newInvoice()
  const { id: attemptId, ref } = await payAndRefund(id)
  const hear = async (refunded: bigint, reversed: bigint) => {
    const { status, refundedMinor, reversedMinor } = await hearOf({ id: attemptId, ref }, refunded, reversed)
    const [ledger] = await queryAsAdministrator<{ held: number }>(
      fixture.context,
      'select sum(amount_minor)::int as held from payment_allocation where attempt_id = $1',
      [attemptId],
    )
    const { amountDue } = await payer.readInvoice(id)
    return { status, refundedMinor, reversedMinor, ...ledger, amountDue }
  }
  expect(await hear(0n, 11_000n)).toMatchObject({ status: 'reversed', held: 0, amountDue: 110 })
  expect(await hear(4_000n, 11_000n)).toEqual({ status: 'reversed', refundedMinor: 4_000, reversedMinor: 7_000, held: 0, amountDue: 70 })
  expect(await hear(4_000n, 0n)).toEqual({ status: 'succeeded', refundedMinor: 4_000, reversedMinor: 0, held: 7_000, amountDue: 0 })
  expect(await queueOf(attemptId)).toEqual([])
})

test('[PAY-01] a payment whose stored reversal is more than the refunds had left gets no money that is not there', async () => {
  const { id } = await newInvoice()
  const { id: attemptId, ref } = await payAndRefund(id)
  await hearOf({ id: attemptId, ref }, 4_000n, 11_000n)
  await queryAsAdministrator(fixture.context, 'update payment_attempt set reversed_minor = 11000 where id = $1', [attemptId])
  for (const [reversed, amountDue] of [
    [11_000n, 70],
    [0n, 0],
  ] as const) {
    await hearOf({ id: attemptId, ref }, 4_000n, reversed)
    expect(await payer.readInvoice(id)).toMatchObject({ amountDue })
  }
  expect(await queueOf(attemptId)).toEqual([])
})
