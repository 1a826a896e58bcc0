import { expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { payByLink, paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import type { Answer } from '../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

/** The limits of production for declines: what is refused here must never count. */
const { fixture, payer } = await usePayments({ customer_permission_for_charging: false }, { LIMITS: 'user=100000/1s anonymous=100000/1s' })

const TOO_SMALL = 'This amount is too small to be paid by card. Pay it together with your next invoice.'
const TOO_LARGE = 'This amount is too large to be paid by card. Please contact support.'
const TOO_SMALL_DEBIT = 'This amount is too small to be paid from a bank account. Pay it together with your next invoice.'
/** More than either limit of declines. */
const TRIES = 12

const invoiceOver = (minor: number, more: object = {}): Promise<number> =>
  payer.invoice({ net_minor: minor, amount_minor: minor, amount_due_minor: minor, ...more })

const countAttempts = async (): Promise<number> =>
  (await queryAsAdministrator(fixture.context, 'select id from payment_attempt', [])).length

/** Expects that nothing is claimed or sent while these words are answered. */
const expectRefused = async (words: string, submit: () => Promise<Answer>): Promise<void> => {
  const before = [await countAttempts(), (await fixture.sandbox.ledger()).length]
  const answer = await submit()
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'amount_not_accepted', userMessage: words }])
  expect([await countAttempts(), (await fixture.sandbox.ledger()).length]).toEqual(before)
}

const payStored = async (invoice: number, cardId: string, invoiceAmount: string): Promise<Answer> => {
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  return payer.me.post(`/v1/ec/pay/${token}/stored-method`, { invoiceNumber: number, invoiceAmount, cardId })
}

test('[SP-02] [PAY-01] less than the provider charges is refused by link in words, however often, and counts against nobody', async () => {
  const invoice = await invoiceOver(49)
  for (let at = 0; at < TRIES; at += 1)
    await expectRefused(TOO_SMALL, async () => payByLink(fixture, invoice, await payer.cardToken(), { invoiceAmount: '0.49' }))
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 1, canPay: true })
  const smallest = await payByLink(fixture, await invoiceOver(50), await payer.cardToken(), { invoiceAmount: '0.50' })
  expect(smallest.json(), smallest.body).toMatchObject({ status: 'succeeded' })
})

test('[SP-02] [PAY-01] more than the provider charges is refused by link, in words', async () => {
  const invoice = await invoiceOver(100_000_000)
  await expectRefused(TOO_LARGE, async () => payByLink(fixture, invoice, await payer.cardToken(), { invoiceAmount: '1000000.00' }))
})

test('[EASE-02] [PAY-01] the same from inside with a stored card, and words of its own for a bank account', async () => {
  const [invoice, cardId, debitId] = [await invoiceOver(49), await payer.storeCard(), await payer.storeDebit()]
  for (let at = 0; at < TRIES; at += 1) await expectRefused(TOO_SMALL, () => payStored(invoice, cardId, '0.49'))
  await expectRefused(TOO_SMALL_DEBIT, async () => payer.pay(await payer.intent(invoice), { cardId: debitId, type: 'au_becs_debit' }))
  const paid = await payStored(await invoiceOver(50), cardId, '0.50')
  expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded' })
})

test('[BP-04] [PAY-01] several at once count as their sum, with the fee', async () => {
  const [first, second] = [await invoiceOver(49), await invoiceOver(30)]
  const cardId = await payer.storeCard()
  await expectRefused(TOO_SMALL, async () => payer.pay(await payer.intent(first), { cardId }))
  const both = await payer.pay(await payer.intent(first, second), { cardId })
  expect(both.json(), both.body).toMatchObject({ status: 'succeeded' })

  const rule =
    "insert into payment_fee_rule (reseller_id, line, currency, percent, fixed_minor) values ($1, 'CREDIT_CARD_FEE', 'AUD', 0, $2)"
  await queryAsAdministrator(fixture.context, rule, [payer.resellerId, 10])
  await expectRefused(TOO_SMALL, async () => payer.pay(await payer.intent(await invoiceOver(39)), { cardId }))
  const withFee = await payer.pay(await payer.intent(await invoiceOver(40)), { cardId })
  expect(withFee.json(), withFee.body).toMatchObject({ status: 'succeeded', payment: { total: 0.5 } })
  await queryAsAdministrator(fixture.context, 'delete from payment_fee_rule where reseller_id = $1', [payer.resellerId])
})

test('[PAY-01] autopay says that an amount is too small and leaves it, dry or not, until more is due', async () => {
  const due = { due_on: fixture.context.clock().toISOString().slice(0, 10) }
  await payer.storeCard()
  const run = async (dryRun: boolean) => {
    const said = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(payer.resellerId), json: true, dryRun })
    return said.json<{ payments: object[] }>().payments
  }
  await invoiceOver(49, due)
  const before = [await countAttempts(), (await queryAsAdministrator(fixture.context, 'select id from payment_intent', [])).length]
  for (const dryRun of [true, false, false]) expect(await run(dryRun)).toMatchObject([{ outcome: 'skipped', reason: TOO_SMALL }])
  expect([await countAttempts(), (await queryAsAdministrator(fixture.context, 'select id from payment_intent', [])).length]).toEqual(before)
  await invoiceOver(30, due)
  expect(await run(false)).toMatchObject([{ outcome: 'paid', amount: '0.79' }])
})
