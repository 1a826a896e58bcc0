import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/http-client.ts'
import { addPayer, expectBalanced, type PaymentBench, paymentBench, payByLink, type Payer } from '../payments-fixture.ts'
import { runsOf } from './fault-context.ts'

/** T4 of the fault plan: each of the three ways to pay, by one key and by as many as there are submits; `npm run test:faults` runs 20 rounds. */
const ROUNDS = runsOf(1)
const AT_ONCE = 50

let bench: PaymentBench
let payer: Payer

beforeAll(async () => {
  bench = await paymentBench({ PAYMENT_TIMEOUT_MS: '20000' })
  payer = await addPayer(bench)
})
afterAll(() => bench.close())

type Submit = (key: string) => Promise<Answer>

const CARD = { cardHolder: 'Ada Payer' }

/** What is to be paid, once, and how one submit of it goes. */
const WAYS: Readonly<Record<string, () => Promise<Submit>>> = {
  'an invoice by its link': async () => {
    const [invoice, token] = [await payer.invoice(), await payer.cardToken()]
    return (key) => payByLink(bench, invoice, token, {}, { 'idempotency-key': key })
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

const charges = async (): Promise<number> => (await bench.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

const together = (submit: Submit, keyOf: (at: number) => string): Promise<Answer[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, at) => submit(keyOf(at))))

const PAID = { status: 'succeeded', redirectToUrl: null, intentStatus: 3 }

test.each(Object.entries(WAYS))('[PAY-01] [SP-05] %s: 50 identical submits at once are one charge and 50 equal answers', async (_, way) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    bench.catchUp()
    const [submit, before] = [await way(), await charges()]
    const answers = await together(submit, () => `one wish of round ${round}`)
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(new Set([`200 ${JSON.stringify(PAID)}`]))
    expect((await charges()) - before).toBe(1)
    await expectBalanced(bench)
  }
})

test.each(Object.entries(WAYS))(
  '[PAY-01] [SP-05] %s: 50 submits by a key each are one charge, and nobody is told that it failed',
  async (_, way) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      bench.catchUp()
      const [submit, before] = [await way(), await charges()]
      const answers = await together(submit, (at) => `wish ${at} of round ${round}`)
      expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
      for (const { statusCode, body } of answers) expect([200, 409], body).toContain(statusCode)
      expect((await charges()) - before).toBe(1)
      await expectBalanced(bench)
    }
  },
)
