import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { expect, test } from 'vitest'
import { sendRequest } from '../../../test/support/http-client.ts'
import { insertRow, queryAsAdministrator } from '../../../test/support/people.ts'
import { addPayingCustomer, CARDS, payByLink, paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'

const { fixture, payer } = await usePayments({ payment_email_receipt: true })

const getByLink = async (invoice: number, path: (token: string) => string) =>
  sendRequest(fixture.app, { url: path((await paymentLinkOf(fixture.context, invoice)).token) })

const detailsOf = async (invoice: number): Promise<InvoicePayment> =>
  (await getByLink(invoice, (token) => `/v1/ec/payment/details/${token}`)).json()

const receiptOf = (invoice: number) => getByLink(invoice, (token) => `/v1/ec/pay/${token}/receipt`)
const documentOf = (invoice: number) => getByLink(invoice, (token) => `/v1/ec/pay/${token}/invoice`)

const isPdf = ({ statusCode, headers, body }: Awaited<ReturnType<typeof receiptOf>>): boolean =>
  statusCode === 200 && headers['content-type'] === 'application/pdf' && body.startsWith('%PDF-')

test('[EASE-03] [SP-01] whoever has the link of a paid invoice sees what was paid, and gets its receipt; nobody reads to whom the receipt went', async () => {
  const other = await addPayingCustomer(fixture)
  const rule = { reseller_id: other.resellerId, line: 'CREDIT_CARD_FEE', currency: 'AUD', percent: '2.95', fixed_minor: 0 } as const
  await insertRow(fixture.context, other.resellerId, 'payment_fee_rule', rule)
  const invoice = await other.invoice()
  expect((await receiptOf(invoice)).statusCode).toBe(404)
  const paid = (await payByLink(fixture, invoice, await other.cardToken(), { email: 'payer@example.com' })).json()
  const details = await detailsOf(invoice)
  expect(details.payment).toEqual({ ...paid.payment, email: null })
  expect(details.payment).toMatchObject({ method: 'Visa •••• 4242', total: 113.25, fee: { amount: 3.25 }, hasReceipt: true })
  expect(details).toMatchObject({ invoiceStatus: 11, hasLinkReceipt: true })
  const receipt = await receiptOf(invoice)
  expect(isPdf(receipt)).toBe(true)
  expect(receipt.headers['content-disposition']).toMatch(/^attachment; filename="R-\d{8}-[\dA-F]{8}\.pdf"/)
})

test('[EASE-03] [SP-01] of a payment of several invoices a link shows what was for its own, and gives no receipt, which names the others', async () => {
  const [first, second] = [await payer.invoice(), await payer.invoice({ amount_minor: 22_000, amount_due_minor: 22_000 })]
  const cardId = await payer.storeCard()
  const { payment } = (await payer.pay(await payer.intent(first, second), { cardId })).json()
  expect(payment ?? (await detailsOf(first)).payment).not.toBeNull()
  const { number } = await paymentLinkOf(fixture.context, first)
  const details = await detailsOf(first)
  expect(details.payment).toMatchObject({
    invoices: [{ invoiceNumber: number, invoiceAmount: 110 }],
    total: 110,
    fee: null,
    adjustmentsTotal: 0,
    adjustments: [],
    email: null,
  })
  expect(JSON.stringify(details)).not.toContain((await paymentLinkOf(fixture.context, second)).number)
  expect(details.hasLinkReceipt).toBe(false)
  expect((await receiptOf(first)).statusCode).toBe(404)
  // Whoever signs in has it.
  expect((await payer.me.get(`/v1/ec/payments/receipts/${details.payment?.id}`)).statusCode).toBe(200)
})

test('[SP-01] a declined or abandoned payment is none, and has no receipt', async () => {
  const invoice = await payer.invoice()
  for (const card of [CARDS.declined, CARDS.asks]) {
    await payByLink(fixture, invoice, await payer.cardToken(card))
    expect(await detailsOf(invoice)).toMatchObject({ payment: null, hasLinkReceipt: false })
    expect((await receiptOf(invoice)).statusCode).toBe(404)
  }
})

test('[EASE-03] the invoice itself is a PDF for whoever has its link, before and after it is paid, where the brand shows invoices', async () => {
  const other = await addPayingCustomer(fixture)
  const invoice = await other.invoice()
  const { number } = await paymentLinkOf(fixture.context, invoice)
  const answer = await documentOf(invoice)
  expect(isPdf(answer)).toBe(true)
  expect(answer.headers['content-disposition']).toContain(`${number}.pdf`)
  await queryAsAdministrator(fixture.context, 'update brand set end_show_invoices = false, end_show_dashboard = false where id = $1', [
    other.brandId,
  ])
  expect((await documentOf(invoice)).statusCode).toBe(404)
})

test.each(['x', 'a'.repeat(43), '1'])('[SP-01] a link that stands for nothing has no files: %s', async (token) => {
  for (const file of ['invoice', 'receipt'])
    expect((await sendRequest(fixture.app, { url: `/v1/ec/pay/${token}/${file}` })).statusCode).toBe(404)
})

test('[SP-01] the link of one customer gives nothing of another, whatever is put behind it', async () => {
  const other = await addPayingCustomer(fixture)
  const [mine, theirs] = [await payer.invoice(), await other.invoice()]
  await payByLink(fixture, theirs, await other.cardToken())
  const [own, foreign] = [await paymentLinkOf(fixture.context, mine), await paymentLinkOf(fixture.context, theirs)]
  expect((await receiptOf(mine)).statusCode).toBe(404)
  expect(JSON.stringify(await detailsOf(mine))).not.toContain(foreign.number)
  for (const path of [`receipt?id=${theirs}`, `invoice?id=${theirs}`, `receipt/${theirs}`, `invoice/${theirs}`]) {
    const answer = await sendRequest(fixture.app, { url: `/v1/ec/pay/${own.token}/${path}` })
    expect(answer.statusCode === 200 ? answer.headers['content-disposition'] : '', path).not.toContain(foreign.number)
  }
})
