import { expect, test } from 'vitest'
import type { Answer } from '../../support/http-client.ts'
import { expectBalanced, payByLink, paymentLinkOf } from '../payments-fixture.ts'
import { usePayments } from '../use-payments.ts'
import { runCount } from './fault-context.ts'

/** Each of the four ways to pay, with one key and with a key per submit; `npm run test:faults` runs 20 rounds. */
const REPETITIONS = runCount(1)
const AT_ONCE = 50

const { fixture, payer } = await usePayments({}, { PAYMENT_TIMEOUT_MS: '20000' })

type Submit = (key: string) => Promise<Answer>

const CARD = { cardHolder: 'Ada Payer' }

/** Pays one invoice as its customer's user. */
const payStored = async (invoice: number, cardId: string, key: string): Promise<Answer> => {
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  const body = { invoiceNumber: number, invoiceAmount: '110.00', cardId }
  return payer.me.post(`/v1/ec/pay/${token}/stored-method`, body, { 'idempotency-key': key })
}

/** What is to be paid once, and how to submit it. */
const PAYMENT_WAYS: Readonly<Record<string, () => Promise<Submit>>> = {
  'an invoice by its link': async () => {
    const [invoice, token] = [await payer.invoice(), await payer.cardToken()]
    return (key) => payByLink(fixture, invoice, token, {}, { 'idempotency-key': key })
  },
  'an invoice from inside with a stored card': async () => {
    const [invoice, cardId] = [await payer.invoice(), await payer.storeCard()]
    return (key) => payStored(invoice, cardId, key)
  },
  'several invoices with a stored card': async () => {
    const [intent, cardId] = [await payer.intent(await payer.invoice(), await payer.invoice()), await payer.storeCard()]
    return (key) => payer.pay(intent, { cardId }, { 'idempotency-key': key })
  },
  'several invoices with a new card': async () => {
    const [intent, cardToken] = [await payer.intent(await payer.invoice(), await payer.invoice()), await payer.cardToken()]
    return (key) => payer.pay(intent, { cardToken, ...CARD }, { 'idempotency-key': key })
  },
}

const countCharges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

const submitAtOnce = (submit: Submit, keyOf: (at: number) => string): Promise<Answer[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, at) => submit(keyOf(at))))

const PAID = { status: 'succeeded', redirectToUrl: null, intentStatus: 3, payment: { id: expect.any(String), total: expect.any(Number) } }

test.each(Object.entries(PAYMENT_WAYS))(
  '[PAY-01] [SP-05] %s: 50 identical submits at once are one charge and 50 equal answers',
  async (_, way) => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      fixture.advanceToNow()
      const [submit, before] = [await way(), await countCharges()]
      const answers = await submitAtOnce(submit, () => `one submission of repetition ${repetition}`)
      expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
      expect(answers[0]?.json()).toMatchObject(PAID)
      expect((await countCharges()) - before).toBe(1)
      await expectBalanced(fixture)
    }
  },
)

test.each(Object.entries(PAYMENT_WAYS))(
  '[PAY-01] [SP-05] %s: 50 submits by a key each are one charge, and nobody is told that it failed',
  async (_, way) => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      fixture.advanceToNow()
      const [submit, before] = [await way(), await countCharges()]
      const answers = await submitAtOnce(submit, (at) => `submission ${at} of repetition ${repetition}`)
      expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
      for (const { statusCode, body } of answers) expect([200, 409], body).toContain(statusCode)
      expect((await countCharges()) - before).toBe(1)
      await expectBalanced(fixture)
    }
  },
)

test('[EASE-02] [PAY-01] [SP-05] one invoice by its link, from inside and in a bulk payment, 50 submits at once, is one charge', async () => {
  fixture.advanceToNow()
  const [invoice, cardId, before] = [await payer.invoice(), await payer.storeCard(), await countCharges()]
  const [intent, token] = [await payer.intent(invoice), await payer.cardToken()]
  const ways: Submit[] = [
    (key) => payByLink(fixture, invoice, token, {}, { 'idempotency-key': key }),
    (key) => payStored(invoice, cardId, key),
    (key) => payer.pay(intent, { cardId }, { 'idempotency-key': key }),
  ]
  const submitOf = (at: number): Submit => ways[at % ways.length] as Submit
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => submitOf(at)(`submission ${at} of three ways`)))
  expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
  for (const { statusCode, body } of answers) expect([200, 409], body).toContain(statusCode)
  expect((await countCharges()) - before).toBe(1)
})
