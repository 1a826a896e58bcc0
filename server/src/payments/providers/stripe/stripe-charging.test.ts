import { expect, test } from 'vitest'
import { usePayments } from '../../../../test/payments/use-payments.ts'
import { expectBalanced, runWorkerAfter } from '../../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const { fixture, payer } = await usePayments()

const payInvoice = async (currency: string, minor: number) => {
  const invoice = await payer.invoice({ currency, net_minor: minor, amount_minor: minor, amount_due_minor: minor })
  const intent = await payer.intent(invoice)
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  return { invoice, intent, answer }
}

const countAttempts = async (): Promise<number> =>
  (await queryAsAdministrator(fixture.context, 'select id from payment_attempt', [])).length

test.each([
  ['AUD', 11_050],
  ['JPY', 11_050],
  ['MGA', 11_000],
  ['KWD', 11_050],
  ['TND', 10],
  ['ISK', 11_050],
  ['UGX', 7],
  ['HUF', 17_550],
])('[PM-10] [PAY-01] an invoice in %s over %i minor units is charged over exactly as much', async (currency, minor) => {
  const { invoice, answer } = await payInvoice(currency, minor)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  expect((await fixture.sandbox.ledger()).at(-1)).toMatchObject({ amount: minor, currency, status: 'succeeded' })
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
  await expectBalanced(fixture)
})

test.each([
  ['MGA', 11_050, '110.50 MGA cannot be paid here: payments in MGA are made in steps of 1.00 MGA. Please contact us.'],
  ['KWD', 12_345, '12.345 KWD cannot be paid here: payments in KWD are made in steps of 0.010 KWD. Please contact us.'],
])(
  '[PM-10] an amount that Stripe cannot charge, in %s over %i, is refused before anything is claimed or sent',
  async (currency, minor, words) => {
    const [attempts, charges] = [await countAttempts(), (await fixture.sandbox.ledger()).length]
    const { invoice, answer } = await payInvoice(currency, minor)
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'amount_not_accepted', userMessage: words }])
    expect([await countAttempts(), (await fixture.sandbox.ledger()).length]).toEqual([attempts, charges])
    expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 1, canPay: true })
  },
)

test('[PAY-01] a card whose bank asks for what only Stripe’s script can do is declined at once, and another card pays', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'script-action', booked: false })
  const answer = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(answer.json(), answer.body).toMatchObject({ userMessage: expect.stringContaining('This card cannot be used here') })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4 })
  const again = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(again.json(), again.body).toMatchObject({ status: 'succeeded' })
  await expectBalanced(fixture)
})

test('[PAY-01] a payment that waits for such an action after its answer was lost is canceled by the worker, within minutes', async () => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'script-action', booked: false })
  await fixture.sandbox.fault({ operation: 'cancel', kind: 'drop', booked: false })
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error' })
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: false })
  for (const minutes of [2, 2, 3]) await runWorkerAfter(fixture, minutes * 60_000)
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 1, canPay: true })
  await expectBalanced(fixture)
})
