import { expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { payByLink, paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { type Answer, sendRequest, setCookieOf } from '../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

const { fixture, payer } = await usePayments()

const HOUR_MS = 3_600_000
const LINK_TEXT = 'The amount has changed since it was shown. Please check it and pay again.'
const CHANGED_TEXT = 'What you wanted to pay has changed since it was shown. Please go back to your invoices and choose again.'
const amountChanged = (userMessage: string) => ({ code: 'amount_changed', userMessage })

/** As the operator sets it: a fixed fee for each way to pay. */
const setFees = async (fixed: string): Promise<void> => {
  const reseller = String(payer.resellerId)
  const said = await runPaymentsCommand(fixture.context, 'reseller payments set', [reseller], {
    fee: [`card:AUD:0:${fixed}`, `debit:AUD:0:${fixed}`],
    json: true,
  })
  expect([said.code, said.err]).toEqual([0, []])
}

const readLinkWith = async (invoice: number, cookie: string): Promise<Answer> => {
  const { token } = await paymentLinkOf(fixture.context, invoice)
  return sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}`, headers: { cookie } })
}
/** As a program reads it, which keeps no cookie. */
const readLink = async (invoice: number): Promise<{ fees: { kind: string; total: number }[] }> => (await readLinkWith(invoice, '')).json()
const payLink = async (invoice: number, more: object = {}): Promise<Answer> => payByLink(fixture, invoice, await payer.cardToken(), more)
const payInside = async (invoice: number, more: object): Promise<Answer> => {
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  return payer.me.post(`/v1/ec/pay/${token}/stored-method`, { invoiceNumber: number, invoiceAmount: '110.00', ...more })
}
const expectNothingClaimed = async (invoice: number): Promise<void> =>
  expect(await queryAsAdministrator(fixture.context, 'select from payment_attempt_item where invoice_id = $1', [invoice])).toEqual([])

test('[SP-02] [PAY-01] by link: a fee that changed since the page was read is not charged; after another reading it is', async () => {
  await setFees('0')
  const invoice = await payer.invoice()
  expect((await readLink(invoice)).fees[0]).toMatchObject({ kind: 'card', total: 110 })
  await setFees('32.50')
  for (let at = 0; at < 2; at += 1) {
    const refused = await payLink(invoice)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, amountChanged(LINK_TEXT)])
  }
  await expectNothingClaimed(invoice)
  expect((await readLink(invoice)).fees[0]).toMatchObject({ total: 142.5 })
  expect((await payLink(invoice)).json()).toMatchObject({ status: 'succeeded', payment: { total: 142.5 } })
})

test('[SP-02] [PAY-01] by link: two browsers that were shown two totals: each pays what it says it has shown, and one that says nothing is told first', async () => {
  await setFees('0')
  const [first, second] = [await payer.invoice(), await payer.invoice()]
  for (const invoice of [first, second]) await readLink(invoice)
  await setFees('5')
  for (const invoice of [first, second]) await readLink(invoice)
  const stale = await payLink(first, { shownTotal: 110 })
  expect([stale.statusCode, stale.json()]).toMatchObject([409, amountChanged(LINK_TEXT)])
  expect((await payLink(first, { shownTotal: 115 })).json()).toMatchObject({ status: 'succeeded', payment: { total: 115 } })
  expect((await payLink(second)).statusCode).toBe(409)
  await readLink(second)
  expect((await payLink(second)).json()).toMatchObject({ status: 'succeeded', payment: { total: 115 } })
  // What was shown a day ago is on no page any more, and what nobody was shown has not changed.
  const [old, unread] = [await payer.invoice(), await payer.invoice()]
  await readLink(old)
  await setFees('6')
  expect((await payLink(unread)).json()).toMatchObject({ status: 'succeeded', payment: { total: 116 } })
  fixture.context.advance(25 * HOUR_MS)
  expect((await payLink(old)).json()).toMatchObject({ status: 'succeeded', payment: { total: 116 } })
})

/** A browser whose page sends the body as specified, without the total that it shows. */
const openBrowser = () => {
  let cookie = ''
  return {
    async read(invoice: number): Promise<void> {
      const page = await readLinkWith(invoice, cookie)
      cookie = setCookieOf(page, 'counterfoil-shown') ?? ''
    },
    async pay(invoice: number): Promise<Answer> {
      return payByLink(fixture, invoice, await payer.cardToken(), {}, { cookie })
    },
  }
}

test('[SP-02] [PAY-01] by link: what a browser was shown is not forgotten because another one reads the page again', async () => {
  await setFees('0')
  const [invoice, other] = [await payer.invoice(), await payer.invoice()]
  const [first, second, third] = [openBrowser(), openBrowser(), openBrowser()]
  for (const browser of [first, second, third]) await browser.read(invoice)
  await setFees('32.50')
  expect((await second.pay(invoice)).statusCode).toBe(409)
  await second.read(invoice)
  await second.read(invoice)
  for (let at = 0; at < 2; at += 1) {
    const refused = await first.pay(invoice)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, amountChanged(LINK_TEXT)])
  }
  // Nor because its cookie is of another link by now.
  await third.read(other)
  expect((await third.pay(invoice)).statusCode).toBe(409)
  await expectNothingClaimed(invoice)
  // Once was enough, whoever else looks at the old total.
  expect((await second.pay(invoice)).json()).toMatchObject({ status: 'succeeded', payment: { total: 142.5 } })
})

test('[SP-02] [PAY-01] by link: of programs that say nothing, each is refused that may have shown another total, and none for good', async () => {
  await setFees('0')
  const [invoice, alone] = [await payer.invoice(), await payer.invoice()]
  for (const page of [invoice, invoice, alone, alone, alone]) await readLink(page)
  await setFees('32.50')
  // Two read it; one is refused and reads it again, and then the other one pays.
  expect((await payLink(invoice)).statusCode).toBe(409)
  await readLink(invoice)
  await readLink(invoice)
  expect((await payLink(invoice)).json()).toMatchObject(amountChanged(LINK_TEXT))
  await expectNothingClaimed(invoice)
  await readLink(invoice)
  expect((await payLink(invoice)).json()).toMatchObject({ status: 'succeeded', payment: { total: 142.5 } })
  // Somebody alone who has read it three times.
  let refusals = 0
  while ((await payLink(alone)).statusCode === 409 && refusals < 9) {
    refusals += 1
    await readLink(alone)
  }
  expect([refusals, await payer.readInvoice(alone)]).toMatchObject([3, { invoiceStatus: 11 }])
})

test('[EASE-02] [PAY-01] from inside with a stored method, by card and from a bank account: the same, with or without the total that was shown', async () => {
  await setFees('0')
  const [cardId, debitId] = [await payer.storeCard(), await payer.storeDebit()]
  for (const method of [{ cardId }, { cardId: debitId, type: 'au_becs_debit' }]) {
    await setFees('1')
    const invoice = await payer.invoice()
    await readLink(invoice)
    await setFees('2')
    const refused = [await payInside(invoice, { ...method, shownTotal: '111.00' }), await payInside(invoice, method)]
    expect(refused.map((answer) => [answer.statusCode, answer.json()])).toMatchObject(refused.map(() => [409, amountChanged(CHANGED_TEXT)]))
    await expectNothingClaimed(invoice)
    expect((await payInside(invoice, { ...method, shownTotal: '112.00' })).json()).toMatchObject({ payment: { total: 112 } })
  }
  const unreadable = await payInside(await payer.invoice(), { cardId, shownTotal: '1e2' })
  expect([unreadable.statusCode, unreadable.json().code]).toEqual([400, 'invalid_input'])
})

test('[BP-02] [BP-03] [PAY-01] several at once, with a stored card, a bank account and a new card: an intent is paid as it was shown when it was made', async () => {
  await setFees('0')
  const [cardId, debitId] = [await payer.storeCard(), await payer.storeDebit('000123456')]
  const methods = [
    async () => ({ cardId, type: 'card' }),
    async () => ({ cardId: debitId, type: 'au_becs_debit' }),
    async () => ({ cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' }),
  ]
  for (const method of methods) {
    await setFees('3')
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    await setFees('4')
    const refused = await payer.pay(intent, await method())
    expect([refused.statusCode, refused.json()]).toMatchObject([409, amountChanged(CHANGED_TEXT)])
    await expectNothingClaimed(invoice)
    // A page that has read the intent again shows what it comes to now, and says so.
    expect((await payer.readIntent(intent.id)).fees.map(({ total }) => total)).toEqual([114, 114])
    expect((await payer.pay(intent, { ...(await method()), shownTotal: 114 })).json()).toMatchObject({ payment: { total: 114 } })
  }
  const chosenAgain = await payer.intent(await payer.invoice())
  expect((await payer.pay(chosenAgain, await (methods[0] as (typeof methods)[0])())).json()).toMatchObject({ payment: { total: 114 } })
})

test('[PAY-01] a submit that is repeated after the fee has changed is the payment that it was', async () => {
  await setFees('0')
  const invoice = await payer.invoice()
  await readLink(invoice)
  const cardToken = await payer.cardToken()
  const submit = () => payByLink(fixture, invoice, cardToken, { shownTotal: 110 }, { 'idempotency-key': 'a-press-of-the-button' })
  expect((await submit()).json()).toMatchObject({ status: 'succeeded', payment: { total: 110 } })
  await setFees('9')
  expect((await submit()).json()).toMatchObject({ status: 'succeeded', payment: { total: 110 } })
})
