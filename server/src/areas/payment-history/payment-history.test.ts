import type { InvoicePaymentEntry } from '@counterfoil/contract/payment-history'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { lookUpAttempt } from '../../payments/engine/look-up.ts'
import type { Answer } from '../../../test/support/http-client.ts'
import { insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import {
  addPayingCustomer,
  runWorkerAfter,
  answerBankPage,
  CARDS,
  paymentLinkOf,
  payByLink,
} from '../../../test/payments/payments-fixture.ts'

const { fixture, payer } = await usePayments()

const DAY = 24 * 3_600_000

const historyOf = async (invoice: number, query = '', who = payer): Promise<{ payments: InvoicePaymentEntry[]; totalCount: number }> => {
  const answer = await who.me.get(`/v1/ec/invoices/${invoice}/payments${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** The newest attempt to pay an invoice. */
const newestOf = async (invoice: number, who = payer): Promise<InvoicePaymentEntry> => {
  const [newest] = (await historyOf(invoice, '', who)).payments
  if (newest === undefined) throw new Error(`nobody tried to pay ${invoice}`)
  return newest
}

const receiptOf = (id: string, who = payer): Promise<Answer> => who.me.get(`/v1/ec/payments/receipts/${id}`)

const wordsOf = async ({ rawPayload }: Answer): Promise<string> => {
  const pdf = await getDocument({ data: new Uint8Array(rawPayload), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent()))
  return pages.flatMap(({ items }) => items.flatMap((item) => ('str' in item ? [item.str] : []))).join(' ')
}

const paidByCard = async (): Promise<{ invoice: number; entry: InvoicePaymentEntry }> => {
  const invoice = await payer.invoice()
  await payer.pay(await payer.intent(invoice), { cardId: await payer.storeCard() })
  return { invoice, entry: await newestOf(invoice) }
}

test('[PAY-01] an invoice without attempts has no payments', async () => {
  expect(await historyOf(await payer.invoice())).toEqual({ payments: [], totalCount: 0 })
})

test('[PAY-01] a confirmation that was abandoned asks nobody to pay again, once another card has paid', async () => {
  const invoice = await payer.invoice()
  const asked = await payByLink(fixture, invoice, await payer.cardToken(CARDS.asks))
  expect(asked.json()).toMatchObject({ status: 'requires_action' })
  fixture.context.advance(1_000)
  const paid = await payByLink(fixture, invoice, await payer.cardToken())
  expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded' })
  const { payments } = await historyOf(invoice)
  expect(payments.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['paid', null],
    ['failed', 'The payment was not confirmed in time. Nothing was charged.'],
  ])
})

test('[PAY-01] a declined card and the one that paid after it stand in the history, newest first, each with its card', async () => {
  const invoice = await payer.invoice()
  await payByLink(fixture, invoice, await payer.cardToken(CARDS.declined))
  fixture.context.advance(1_000)
  await payByLink(fixture, invoice, await payer.cardToken())
  const { payments, totalCount } = await historyOf(invoice)
  const money = {
    amount: 110,
    fee: 0,
    total: 110,
    cameBack: 0,
    overpaid: 0,
    invoiceCount: 1,
    currencySymbol: '$',
    expectedOn: null,
    unknownOutcome: null,
    isUnderReview: false,
  }
  const reference = expect.stringMatching(/^[0-9A-F]{4}-[0-9A-F]{4}$/)
  expect({ payments, totalCount }).toEqual({
    payments: [
      {
        ...money,
        reference,
        id: expect.any(String),
        date: expect.any(String),
        method: 'Visa •••• 4242',
        outcome: 'paid',
        reason: null,
        hasReceipt: true,
      },
      {
        ...money,
        reference,
        id: expect.any(String),
        date: expect.any(String),
        method: 'Visa •••• 0002',
        outcome: 'declined',
        reason: 'Your card was declined.',
        hasReceipt: false,
      },
    ],
    totalCount: 2,
  })
})

test('[PAY-01] the history is paged and refuses invalid pages', async () => {
  const invoice = await payer.invoice()
  for (let tries = 0; tries < 3; tries++) {
    await payByLink(fixture, invoice, await payer.cardToken(CARDS.declined))
    fixture.context.advance(1_000)
  }
  const all = (await historyOf(invoice)).payments.map(({ id }) => id)
  const paged = await Promise.all([1, 2, 3].map((page) => historyOf(invoice, `?pageNumber=${page}&pageSize=2`)))
  expect(paged.map(({ payments, totalCount }) => [payments.map(({ id }) => id), totalCount])).toEqual([
    [all.slice(0, 2), 3],
    [all.slice(2), 3],
    [[], 3],
  ])
  for (const query of ['?pageNumber=0', '?pageSize=101', '?pageSize=x', '?order=asc'])
    expect((await payer.me.get(`/v1/ec/invoices/${invoice}/payments${query}`)).statusCode, query).toBe(400)
})

test('[PAY-01] an unconfirmed payment and one with an unknown outcome have outcomes of their own', async () => {
  const asked = await payer.invoice()
  const answer = await payByLink(fixture, asked, await payer.cardToken(CARDS.asks))
  expect(await newestOf(asked)).toMatchObject({ outcome: 'confirming', reason: null, hasReceipt: false })
  await answerBankPage(answer.json().redirectToUrl, 'complete')
  await runWorkerAfter(fixture, 60_000)
  expect(await newestOf(asked)).toMatchObject({ outcome: 'paid', hasReceipt: true })

  const silent = await payer.invoice()
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: true })
  await payByLink(fixture, silent, await payer.cardToken())
  expect(await newestOf(silent)).toMatchObject({ outcome: 'checking', reason: null, hasReceipt: false })
  await runWorkerAfter(fixture, 3 * 60_000)
  expect(await newestOf(silent)).toMatchObject({ outcome: 'paid', method: 'Visa •••• 4242' })
})

test('[PAY-01] a payment without an answer says until when at the latest, in the history and to whoever wants to pay the same', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked: false })
  await payByLink(fixture, invoice, await payer.cardToken())
  const entry = await newestOf(invoice)
  const { endsBy } = entry.unknownOutcome ?? {}
  const inMs = Date.parse(endsBy ?? '') - fixture.context.clock().getTime()
  expect([inMs > 0, inMs < 10 * 60_000]).toEqual([true, true])
  const { reference } = entry
  const refused = {
    code: 'payment_in_progress',
    payment: { reference, isUnderReview: false, unknownOutcome: { endsBy: expect.stringMatching(/Z$/) } },
  }
  const cardId = await payer.storeCard()
  const answers = [
    await payByLink(fixture, invoice, await payer.cardToken()),
    await payer.pay(intent, { cardId }),
    await payer.me.post('/v1/ec/payments/intents', { invoiceIds: [invoice] }),
  ]
  for (const answer of answers) expect([answer.statusCode, answer.json()]).toEqual([409, expect.objectContaining(refused)])
  await runWorkerAfter(fixture, inMs)
  expect(await newestOf(invoice)).toMatchObject({ outcome: 'failed', unknownOutcome: null })
  expect((await payer.pay(await payer.intent(invoice), { cardId })).json()).toMatchObject({ status: 'succeeded' })
})

test('[PAY-01][PM-11] a debit is on its way, then paid, then returned by the bank, and loses its receipt with that', async () => {
  const invoice = await payer.invoice()
  await payer.pay(await payer.intent(invoice), { cardId: await payer.storeDebit(), type: 'au_becs_debit' })
  const entry = await newestOf(invoice)
  expect(entry).toMatchObject({ outcome: 'processing', method: 'BSB 000000 •••• 3456', hasReceipt: false })
  expect((await receiptOf(entry.id)).statusCode).toBe(404)

  const charge = (await fixture.sandbox.ledger()).find(({ reference }) => reference === entry.id)?.id ?? ''
  await fixture.sandbox.settle(charge, 'succeeded')
  await runWorkerAfter(fixture, DAY)
  expect(await newestOf(invoice)).toMatchObject({ outcome: 'paid', hasReceipt: true, cameBack: 0 })
  expect((await receiptOf(entry.id)).statusCode).toBe(200)

  await fixture.sandbox.settle(charge, 'returned')
  await lookUpAttempt(fixture.payments, { ...payer, id: entry.id }, 'webhook')
  const words = 'The payment was returned by the bank.'
  expect(await newestOf(invoice)).toMatchObject({ outcome: 'returned', reason: words, hasReceipt: false, cameBack: 110 })
  expect((await receiptOf(entry.id)).statusCode).toBe(404)
})

test('[PAY-01] a receipt names payer, card, invoice, sum and the provider’s reference, and is the same file each time', async () => {
  const { invoice, entry } = await paidByCard()
  const answer = await receiptOf(entry.id)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  const number = /filename="?(R-\d{8}-[\dA-F]{8})\.pdf/.exec(String(answer.headers['content-disposition']))?.[1]
  const [facts] = await queryAsAdministrator<{ ref: string; label: string }>(
    fixture.context,
    'select provider_ref as ref, label from payment_attempt a join customer c on c.id = a.customer_id where a.id = $1',
    [entry.id],
  )
  const words = await wordsOf(answer)
  expect(words).toContain(number ?? 'no number')
  const said = [
    'Receipt',
    'Paid by',
    facts?.label ?? '?',
    'Visa •••• 4242',
    (await paymentLinkOf(fixture.context, invoice)).number,
    '$110.00',
  ]
  for (const word of said) expect(words).toContain(word)
  expect(words.replaceAll(' ', '')).toContain(facts?.ref ?? 'no reference')
  expect(words).toContain('Total paid (AUD)')
  expect((await receiptOf(entry.id)).rawPayload.equals(answer.rawPayload)).toBe(true)
})

test('[PAY-01] the receipt of several invoices has each of them, the adjustment and the fee; each invoice shows its own part', async () => {
  const other = await addPayingCustomer(fixture)
  const rule = { reseller_id: other.resellerId, line: 'CREDIT_CARD_FEE', currency: 'AUD', percent: '2', fixed_minor: 30 } as const
  await insertRow(fixture.context, other.resellerId, 'payment_fee_rule', rule)
  const adjustment = {
    customer_id: other.customerId,
    currency: 'AUD',
    amount_minor: 500,
    description: 'Late fee October',
    settled_at: null,
  }
  await insertRow(fixture.context, other.resellerId, 'payment_adjustment', { ...adjustment, external_id: null })
  const invoices = [await other.invoice(), await other.invoice()]
  await other.pay(await other.intent(...invoices), { cardId: await other.storeCard() })
  const entries = await Promise.all(invoices.map((invoice) => newestOf(invoice, other)))
  // 2 × 110 + 5, and 2 % + 0.30 of that.
  for (const entry of entries) expect(entry).toMatchObject({ amount: 110, fee: 4.8, total: 229.8, invoiceCount: 2, outcome: 'paid' })
  expect(entries[0]?.id).toBe(entries[1]?.id)
  const words = await wordsOf(await receiptOf(entries[0]?.id ?? '', other))
  const numbers = await Promise.all(invoices.map(async (invoice) => (await paymentLinkOf(fixture.context, invoice)).number))
  for (const said of [...numbers, 'Late fee October', '$5.00', 'Credit Card Fee', '$4.80', '$229.80']) expect(words).toContain(said)
})

test('[PAY-01] what the reseller gave back stands in the history and on the receipt', async () => {
  const { invoice, entry } = await paidByCard()
  const [attempt] = await queryAsAdministrator<{ ref: string }>(
    fixture.context,
    'select provider_ref as ref from payment_attempt where id = $1',
    [entry.id],
  )
  const refund = async (amount: string): Promise<void> => {
    await fixture.sandbox.stripe('/v1/refunds', { payment_intent: attempt?.ref ?? '', amount }, payer.keys.secret)
    await lookUpAttempt(fixture.payments, { ...payer, id: entry.id }, 'webhook')
  }
  await refund('4000')
  expect(await newestOf(invoice)).toMatchObject({ outcome: 'part-refunded', cameBack: 40, hasReceipt: true })
  const words = await wordsOf(await receiptOf(entry.id))
  for (const said of ['Partly refunded', '-$40.00', 'Net amount paid', '$70.00']) expect(words).toContain(said)
  await refund('7000')
  expect(await newestOf(invoice)).toMatchObject({ outcome: 'refunded', cameBack: 110, hasReceipt: true })
  expect(await wordsOf(await receiptOf(entry.id))).toContain('Refunded')
})

test('[PAY-01] the responses after paying, and after the return from the bank, name the receipt', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  expect(intent.receiptId).toBeNull()
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.asks), cardHolder: 'Ada Payer' })
  const back = new URL(await answerBankPage(answer.json().redirectToUrl, 'complete'))
  const reported = { paymentIntent: back.searchParams.get('payment_intent'), reqUid: back.searchParams.get('req_uid') }
  const result = await payer.me.post('/v1/ec/payments/confirmation/result', reported)
  const { id } = await newestOf(invoice)
  expect(result.json()).toMatchObject({ status: 3, receiptId: id })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, receiptId: id })
})

test('[PAY-01] another customer of the same reseller finds neither the payments nor the receipt', async () => {
  const { invoice, entry } = await paidByCard()
  const stranger = await addPayingCustomer(fixture)
  expect((await stranger.me.get(`/v1/ec/invoices/${invoice}/payments`)).statusCode).toBe(404)
  expect((await receiptOf(entry.id, stranger)).statusCode).toBe(404)
  for (const id of ['1', 'x', entry.id.toUpperCase(), `${entry.id}.pdf`, '..%2f..%2fetc'])
    expect((await receiptOf(id)).statusCode, id).toBe(404)
})
