import { type Static, Type } from 'typebox'
import { Day } from '../kit/day.ts'
import { endpoint } from '../kit/http/endpoint.ts'
import { nullable } from '../kit/http/nullable.ts'
import { BillingAddress, PaymentResult, ShownTotal, ShownTotalQuery } from '../kit/payments/pay-form.ts'
import { PaymentFee, PaymentSummary } from '../kit/payments/payment-summary.ts'

/** An invoice on its public payment page, without name and address. */
export const InvoicePayment = Type.Object({
  invoiceAmount: Type.Number({ description: 'What is left to pay, without the fee' }),
  InvoiceNumber: Type.String(),
  invoiceDate: Day,
  invoiceDueDate: Day,
  periodStart: nullable(Day, 'The first day of the billing period; null where it has none'),
  periodEnd: nullable(Day, 'The last day that belongs to it'),
  invoiceStatus: Type.Integer({ description: '1 open, 5 overdue, 7 in collection, 9 credited, 11 paid' }),
  isCredited: Type.Boolean(),
  fee: Type.Number({ description: 'Added to invoiceAmount when paying by card; 0 without one' }),
  fees: Type.Array(PaymentFee, { description: 'What each way to pay adds, by which rule, and what it comes to' }),
  uid: Type.String({ description: 'Names what is being paid; goes back in POST /v1/ec/pay' }),
  customer: Type.Integer({ description: "The customer's id" }),
  brandId: Type.Integer(),
  brandName: Type.String(),
  currency: Type.String({ description: 'ISO 4217' }),
  currencySymbol: Type.Object({ symbol: Type.String() }),
  paymentType: Type.Integer({ description: '0: payment page not available' }),
  integrationType: nullable(Type.String(), "The provider's name, where the form is its own"),
  publishableKey: nullable(Type.String()),
  scriptUrl: nullable(Type.String(), "Where the browser loads the provider's script from"),
  takesCardNumbers: Type.Boolean({ description: "Card numbers are typed on the page; else into the provider's own fields" }),
  splitCardFields: Type.Boolean({ description: "A card's number, expiry and code have a field each" }),
  enabledReceipt: Type.Boolean(),
  requiredCardHolder: Type.Boolean(),
  requiredBillingAddress: Type.Boolean(),
  requiredEmail: Type.Boolean({ description: "The provider needs the payer's email address, whether or not receipts are mailed" }),
  paymentTypeDisclaimer: nullable(Type.String(), 'What the reseller says about paying, below the form'),
  isFrame: Type.Boolean(),
  apiStatus: Type.Boolean({ description: 'false: the gateway is not configured properly' }),
  paymentStatus: Type.Integer({
    description: 'Of the last payment through this page or another: 1 none yet, 2 being confirmed, 3 paid, 4 failed',
  }),
  paymentError: nullable(Type.String(), 'Why the last payment failed, when paymentStatus is 4'),
  lastPaymentId: nullable(Type.String(), 'Names the payment that paymentStatus speaks of; null before there is one'),
  payment: nullable(
    PaymentSummary,
    'The payment that has paid the invoice, or is being confirmed, as whoever has the link may know it: of this invoice alone, without an address',
  ),
  hasLinkReceipt: Type.Boolean({ description: 'GET /v1/ec/pay/{token}/receipt gives the receipt of that payment' }),
})
export type InvoicePayment = Static<typeof InvoicePayment>

/** What the signed-in user who opens a payment link needs beside the invoice. */
export const LinkPayer = Type.Object({
  invoiceId: Type.Integer({ description: 'By which GET /v1/ec/invoices/{id} gives its PDF' }),
  invoiceLabelPlural: Type.String({ description: 'What the reseller calls several invoices' }),
  addsBankAccounts: Type.Boolean({ description: 'Payment Types takes bank accounts, and customers see it' }),
  receiptEmail: nullable(Type.String(), "Where a receipt is offered to go: what the user's profile says, else where the last one went"),
  payment: nullable(PaymentSummary, 'The payment that has paid the invoice, or is being confirmed'),
})
export type LinkPayer = Static<typeof LinkPayer>

const LinkToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

/** The schema of a text that may be missing. */
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const invoicePayment = {
  details: endpoint({
    method: 'GET',
    path: '/v1/ec/payment/details/{token}',
    access: 'public',
    summary: 'What the public payment page of an invoice shows; a payment that is still open is looked up at the provider',
    params: LinkToken,
    response: InvoicePayment,
  }),
  template: endpoint({
    method: 'GET',
    path: '/v1/ec/pay/{token}/template',
    access: 'public',
    summary: "A document with the frame of the provider's own page, in which the card that pays an invoice is entered",
    params: LinkToken,
    query: ShownTotalQuery,
    response: { file: 'text/html' },
  }),
  pay: endpoint({
    method: 'POST',
    path: '/v1/ec/pay',
    access: 'public',
    summary: 'Pays one invoice; a declined payment is a 400 with userMessage. Header Idempotency-Key: the same key is paid once',
    body: Type.Object(
      {
        uid: Type.String({ minLength: 1, maxLength: 128 }),
        invoiceNumber: Type.String({ minLength: 1, maxLength: 200 }),
        invoiceAmount: Type.Union([Type.String({ maxLength: 20 }), Type.Number()], {
          description: 'As the page showed it; compared, never used',
        }),
        shownTotal: ShownTotal,
        cardToken: Text(1_024),
        email: Text(254),
        cardHolder: Text(200),
        billingAddress: Type.Optional(BillingAddress),
        // From forms of providers without a script of their own; rejected for other providers.
        cardNumber: Text(1_024),
        expirationDate: Text(10),
        cardCode: Text(4),
        cvc: Text(4),
        nexioCustomerDetails: Type.Optional(
          Type.Object({ payerFirstName: Text(100), payerLastName: Text(100), email: Text(254) }, { additionalProperties: false }),
        ),
      },
      { additionalProperties: false },
    ),
    response: PaymentResult,
  }),
  document: endpoint({
    method: 'GET',
    path: '/v1/ec/pay/{token}/invoice',
    access: 'public',
    summary: "The invoice of a payment link as a PDF file, where the customer's users see invoices",
    params: LinkToken,
    response: { file: 'application/pdf' },
  }),
  receipt: endpoint({
    method: 'GET',
    path: '/v1/ec/pay/{token}/receipt',
    access: 'public',
    summary: 'The receipt of the payment that has paid the invoice of a payment link, as a PDF file; none for one of several invoices',
    params: LinkToken,
    response: { file: 'application/pdf' },
  }),
  payer: endpoint({
    method: 'GET',
    path: '/v1/ec/pay/{token}/payer',
    access: 'customer',
    summary: 'Whether the signed-in user acts for the customer of the invoice: then its stored methods may pay',
    params: LinkToken,
    response: LinkPayer,
  }),
  payStored: endpoint({
    method: 'POST',
    path: '/v1/ec/pay/{token}/stored-method',
    access: 'customer',
    summary:
      'Pays one invoice with a stored method of its customer, where payments are on; answers as POST /v1/ec/pay does. Header Idempotency-Key: the same key is paid once',
    params: LinkToken,
    body: Type.Object(
      {
        invoiceNumber: Type.String({ minLength: 1, maxLength: 200 }),
        invoiceAmount: Type.Union([Type.String({ maxLength: 20 }), Type.Number()], {
          description: 'As the page showed it; compared, never used',
        }),
        shownTotal: ShownTotal,
        cardId: Type.String({ minLength: 1, maxLength: 64, description: 'The stored method that pays' }),
        type: Text(30),
        email: Text(254),
      },
      { additionalProperties: false },
    ),
    response: PaymentResult,
  }),
}
