import { expect, test } from 'vitest'
import { usePayments } from '../../../test/payments/use-payments.ts'
import type { Answer } from '../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { answerBankPage, CARDS, payByLink } from '../../../test/payments/payments-fixture.ts'

const { fixture, payer } = await usePayments()

/** Both ways to pay, each submitted with one Idempotency-Key. */
const WAYS = {
  'a payment link': async () => {
    const invoice = await payer.invoice()
    const key = { 'idempotency-key': `one-press-on-invoice-${invoice}` }
    return { invoice, press: (card: string): Promise<Answer> => payByLink(fixture, invoice, card, {}, key) }
  },
  'an intent': async () => {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    const key = { 'idempotency-key': `one-press-on-intent-${invoice}` }
    return { invoice, press: (card: string): Promise<Answer> => payer.pay(intent, { cardToken: card, cardHolder: 'Ada Payer' }, key) }
  },
}
const ways = Object.entries(WAYS)

const statusesOf = async (invoice: number): Promise<string[]> =>
  (
    await queryAsAdministrator<{ status: string }>(
      fixture.context,
      'select a.status from payment_attempt a join payment_attempt_item i on i.attempt_id = a.id where i.invoice_id = $1 order by a.created_at, a.id',
      [invoice],
    )
  ).map(({ status }) => status)

const countCharges = async (): Promise<number> => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length

test.each(ways)(
  '[PAY-01] %s: the answer "confirm at your bank" is lost, and another card pays at once, by the same key',
  async (_, way) => {
    const { invoice, press } = await way()
    const before = await countCharges()
    const first = await press(await payer.cardToken(CARDS.asks))
    expect(first.json()).toMatchObject({ status: 'requires_action' })
    const second = await press(await payer.cardToken())
    expect(second.json(), second.body).toMatchObject({ status: 'succeeded' })
    expect((await statusesOf(invoice)).toSorted()).toEqual(['expired', 'succeeded'])
    // The bank's page of the first card is still open somewhere.
    await answerBankPage(first.json().redirectToUrl, 'complete')
    expect([(await countCharges()) - before, await payer.readInvoice(invoice)]).toMatchObject([1, { invoiceStatus: 11 }])
  },
)

test.each(ways)('[PAY-01] %s: the answer "declined" is lost, and another card pays at the first press, by the same key', async (_, way) => {
  const { invoice, press } = await way()
  expect((await press(await payer.cardToken(CARDS.declined))).statusCode).toBe(400)
  expect((await press(await payer.cardToken())).json()).toMatchObject({ status: 'succeeded' })
  expect((await statusesOf(invoice)).toSorted()).toEqual(['declined', 'succeeded'])
})

test.each(ways)('[PAY-01] %s: the same card by the same key goes to the same page of the bank', async (_, way) => {
  const { invoice, press } = await way()
  const card = await payer.cardToken(CARDS.asks)
  const [first, again] = [await press(card), await press(card)]
  expect(again.body).toBe(first.body)
  expect(await statusesOf(invoice)).toEqual(['requires_action'])
})

test.each(ways)('[PAY-01] %s: the first card was confirmed in another tab: the other one is not charged', async (_, way) => {
  const { invoice, press } = await way()
  const before = await countCharges()
  const first = await press(await payer.cardToken(CARDS.asks))
  await answerBankPage(first.json().redirectToUrl, 'complete')
  const second = await press(await payer.cardToken())
  expect([200, 409], second.body).toContain(second.statusCode)
  expect([(await countCharges()) - before, await payer.readInvoice(invoice)]).toMatchObject([1, { invoiceStatus: 11 }])
})

test.each(ways)('[PAY-01] %s: four other cards at once by the same key pay once', async (_, way) => {
  const { invoice, press } = await way()
  const before = await countCharges()
  await press(await payer.cardToken(CARDS.asks))
  const cards = await Promise.all([payer.cardToken(), payer.cardToken(), payer.cardToken(), payer.cardToken()])
  const answers = await Promise.all(cards.map(press))
  for (const answer of answers) expect([200, 409], answer.body).toContain(answer.statusCode)
  expect([(await countCharges()) - before, await payer.readInvoice(invoice)]).toMatchObject([1, { invoiceStatus: 11 }])
})
