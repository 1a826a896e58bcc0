import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test } from 'vitest'
import { paymentLinkOf, runWorker } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { type Answer, sendRequest } from '../../../test/support/http-client.ts'
import { deliverMail, startTestMailbox } from '../../../test/support/mailbox.ts'
import { insertRow } from '../../../test/support/people.ts'

const mailbox = await startTestMailbox()
afterAll(() => mailbox.close())
// The customer is billed in AUD and its symbol is "$".
const { fixture, payer } = await usePayments({}, { MAIL_URL: mailbox.url })

const NO_BREAK_SPACE = '\u00A0'

const wordsOf = async ({ rawPayload }: Answer): Promise<string> => {
  const pdf = await getDocument({ data: new Uint8Array(rawPayload), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent()))
  const words = pages.flatMap(({ items }) => items.flatMap((item) => ('str' in item ? [item.str] : []))).join(' ')
  return words.replaceAll(NO_BREAK_SPACE, ' ')
}

test('[INV-01][INV-05][INV-04] an invoice in another currency than its customer’s is shown in it: list, PDF and pay page', async () => {
  const invoice = await payer.invoice({ currency: 'EUR' })
  expect(await payer.readInvoice(invoice)).toMatchObject({ currency: 'EUR', currencySymbol: 'EUR' })
  const words = await wordsOf(await payer.me.get(`/v1/ec/invoices/${invoice}`))
  expect(words).toContain('EUR 110.00')
  expect(words).not.toContain('$')
  const { token } = await paymentLinkOf(fixture.context, invoice)
  const page = await sendRequest(fixture.app, { method: 'GET', url: `/v1/ec/payment/details/${token}` })
  expect(page.json(), page.body).toMatchObject({ currency: 'EUR', currencySymbol: { symbol: 'EUR' } })
})

test('[PAY-01][EASE-03] its payment, its receipt and the mail are in that currency, and so is what the provider charges', async () => {
  const invoice = await payer.invoice({ currency: 'EUR', number: 'INV-EURO' })
  const { token, number } = await paymentLinkOf(fixture.context, invoice)
  const body = { invoiceNumber: number, invoiceAmount: '110.00', cardId: await payer.storeCard(), email: 'ada@example.com' }
  const paid = (await payer.me.post(`/v1/ec/pay/${token}/stored-method`, body)).json()
  expect(paid).toMatchObject({ status: 'succeeded', payment: { total: 110, currency: 'EUR', currencySymbol: 'EUR' } })
  expect((await fixture.sandbox.ledger()).at(-1)).toMatchObject({ amount: 11_000, currency: 'EUR' })
  const { payments } = (await payer.me.get(`/v1/ec/invoices/${invoice}/payments`)).json()
  expect(payments).toMatchObject([{ total: 110, currencySymbol: 'EUR' }])
  const receipt = await wordsOf(await payer.me.get(`/v1/ec/payments/receipts/${paid.payment.id}`))
  expect(receipt).toContain('EUR 110.00')
  expect(receipt).not.toContain('$')
  await runWorker(fixture)
  await deliverMail(fixture.context)
  const text = mailbox.list()[0]?.text.replaceAll(NO_BREAK_SPACE, ' ')
  expect(text).toContain('We have received your payment of EUR 110.00 to ')
  expect(text).not.toContain('$')
})

test('[BP-01][EASE-04] several invoices of one currency are paid together in it, with its own fee rule; several currencies are not', async () => {
  const rule = { reseller_id: payer.resellerId, line: 'CREDIT_CARD_FEE', percent: '0' } as const
  await insertRow(fixture.context, payer.resellerId, 'payment_fee_rule', { ...rule, currency: 'AUD', fixed_minor: 99 })
  await insertRow(fixture.context, payer.resellerId, 'payment_fee_rule', { ...rule, currency: 'EUR', fixed_minor: 25 })
  const [first, second, other] = [await payer.invoice({ currency: 'EUR' }), await payer.invoice({ currency: 'EUR' }), await payer.invoice()]
  const refused = await payer.me.post('/v1/ec/payments/intents', { invoiceIds: [first, other] })
  expect([refused.statusCode, refused.json().userMessage]).toEqual([
    409,
    'These invoices are in different currencies. Please pay those of one currency at a time.',
  ])
  const intent = await payer.intent(first, second)
  expect(intent).toMatchObject({ currency: 'EUR', currencySymbol: { symbol: 'EUR' }, total: 220.25 })
  await payer.pay(intent, { cardId: await payer.storeCard() })
  expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, payment: { total: 220.25, currencySymbol: 'EUR' } })
  expect((await fixture.sandbox.ledger()).at(-1)).toMatchObject({ amount: 22_025, currency: 'EUR' })
})
