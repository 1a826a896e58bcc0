import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import type { TenantCustomer } from './tenants.ts'

/** A valid request and the status of its response; it has no effect on other responses. */
export interface Example {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: object
  readonly status: number
}

const AUTHORIZE_ACCOUNT = {
  routingNumber: '121042882',
  accountNumber: '123456789',
  nameOnAccount: 'Ada Payer',
  bankName: 'First Bank',
  accountType: 'checking',
}

const EXAMPLES: Readonly<Record<string, (own: TenantCustomer) => Example>> = {
  'GET /v1/ec/invoices/{id}': ({ filedInvoice }) => ({ params: { id: filedInvoice }, status: 200 }),
  'GET /v1/ec/invoices/archive': () => ({ query: 'year=2026', status: 200 }),
  'GET /v1/ec/invoices/{id}/payments': ({ drawnInvoice }) => ({ params: { id: drawnInvoice }, status: 200 }),
  'GET /v1/ec/payments/receipts/{id}': ({ payment }) => ({ params: { id: payment.paid }, status: 200 }),
  'POST /v1/ec/password': () => ({ body: { oldPassword: 'x', newPassword: 'short' }, status: 400 }),
  // The choices that are there already, so that nothing changes.
  'PUT /v1/ec/profile': () => ({ body: { numberLocale: null, receiptEmail: null }, status: 200 }),
  'GET /v1/ec/billing-periods/{id}': ({ agreement }) => ({ params: { id: agreement }, status: 200 }),
  'GET /v1/ec/transactions': ({ period }) => ({ query: `period=${period}`, status: 200 }),
  'GET /v1/ec/usage': () => ({ query: 'dateFrom=2026-11-01&dateTo=2026-11-30', status: 200 }),
  'GET /v1/ec/usage/summary': () => ({ query: 'dateFrom=2026-11-01&dateTo=2026-11-30', status: 200 }),
  'POST /v1/ec/usage/download': () => ({
    body: {
      parameters: [
        { name: 'startDate', value: '2026-11-01 00:00:00' },
        { name: 'endDate', value: '2026-11-30 23:59:59' },
        ...['agreementId', 'serviceId', 'recordTypeId', 'serviceItemId'].map((name) => ({ name, value: '0' })),
      ],
    },
    status: 200,
  }),
  'POST /v1/ec/reports': () => ({ body: { id: 2, parameters: [{ name: 'ServiceId', value: '0' }] }, status: 200 }),
  'GET /v1/ec/reports/status/{id}': ({ report }) => ({ params: { id: report.id }, status: 200 }),
  'GET /v1/ec/reports/blob/{path}': ({ report }) => ({ params: { path: report.path }, status: 200 }),
  // These resellers have no payment provider, so endpoints that need one are rejected for everybody.
  'POST /v1/ec/payments/cards': () => ({ body: { token: 'pm_card_visa' }, status: 403 }),
  'PUT /v1/ec/payments/cards': ({ payment }) => ({ body: { id: payment.card }, status: 403 }),
  'DELETE /v1/ec/payments/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 403 }),
  'PUT /v1/ec/payments/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 403 }),
  'DELETE /v1/ec/payments/payment-methods/{id}/detach': ({ payment }) => ({ params: { id: payment.card }, status: 403 }),
  'GET /v1/ec/payments/setup-intent': () => ({ status: 403 }),
  'POST /v1/ec/payments/setup-intent': () => ({ body: { paymentMethodId: 'pm_1', paymentMethodType: 'au_becs_debit' }, status: 403 }),
  'POST /v1/ec/payments/card-fields': () => ({ status: 403 }),
  'GET /v1/ec/payments/checkout-session/{type}': () => ({ params: { type: 'bacs_debit' }, status: 403 }),
  'POST /v1/ec/payments/intents': ({ drawnInvoice }) => ({ body: { invoiceIds: [drawnInvoice] }, status: 403 }),
  'GET /v1/ec/payments/intents/{id}': ({ payment }) => ({ params: { id: payment.intent }, status: 200 }),
  'POST /v1/ec/payments/pay/bulk': ({ payment }) => ({ body: { uid: payment.intent, cardId: payment.card }, status: 403 }),
  'POST /v1/ec/payments/confirmation/result': () => ({ body: { reqUid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }, status: 404 }),
  'GET /v1/ec/pay/{token}/payer': ({ payLink }) => ({ params: { token: payLink }, status: 200 }),
  'POST /v1/ec/pay/{token}/stored-method': ({ payLink, payment }) => ({
    params: { token: payLink },
    body: { invoiceNumber: 'x', invoiceAmount: '1.00', cardId: payment.card },
    status: 403,
  }),
  // Paths of providers that these resellers do not have.
  'GET /v1/ec/autorize/cards': () => ({ status: 404 }),
  'POST /v1/ec/autorize/cards': () => ({ body: { token: 'COMMON|token' }, status: 404 }),
  'DELETE /v1/ec/autorize/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'GET /v1/ec/autorize/ach': () => ({ status: 404 }),
  'POST /v1/ec/autorize/ach': () => ({ body: AUTHORIZE_ACCOUNT, status: 404 }),
  'PUT /v1/ec/autorize/ach': ({ payment }) => ({
    body: { id: payment.card, ...AUTHORIZE_ACCOUNT, routingNumber: 'XXXX2882', accountNumber: 'XXXX6789' },
    status: 404,
  }),
  'DELETE /v1/ec/autorize/ach/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'PUT /v1/ec/autorize/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),
  'GET /v1/ec/bpoint/cards': () => ({ status: 404 }),
  'GET /v1/ec/bpoint/authkeys': () => ({ status: 404 }),
  'POST /v1/ec/bpoint/cards': () => ({ body: { authKeys: 'a-key-of-the-browser' }, status: 404 }),
  'POST /v1/ec/bpoint/cards/tokenize': ({ payment }) => ({ body: { token: payment.card, crn1: '7' }, status: 404 }),
  'DELETE /v1/ec/bpoint/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'PUT /v1/ec/bpoint/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),
  'GET /v1/ec/ippay/cards': () => ({ status: 404 }),
  'POST /v1/ec/ippay/cards': () => ({ body: { token: 'state' }, status: 404 }),
  'PUT /v1/ec/ippay/cards': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),
  'DELETE /v1/ec/ippay/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'GET /v1/ec/ippay/cards/{type}/templates': () => ({ params: { type: 'CC' }, status: 404 }),
  'GET /v1/ec/ippay/pay/bulk-template/{sessionId}': () => ({ params: { sessionId: 'none' }, status: 404 }),
  'GET /v1/ec/moneris/cards': () => ({ status: 404 }),
  'POST /v1/ec/moneris/cards': () => ({ body: { token: 'ot-token' }, status: 404 }),
  'DELETE /v1/ec/moneris/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'PUT /v1/ec/moneris/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),
  'GET /v1/ec/nexio/cards': () => ({ status: 404 }),
  'POST /v1/ec/nexio/cards': () => ({
    body: { token: 'vault-token', customer: { payerFirstName: 'Ada', payerLastName: 'Payer', shippingAddress: '1 Quay Street' } },
    status: 404,
  }),
  'PUT /v1/ec/nexio/cards': ({ payment }) => ({ body: { id: payment.card, cardHolderName: 'Ada Payer' }, status: 404 }),
  'DELETE /v1/ec/nexio/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'PUT /v1/ec/nexio/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),
  'GET /v1/ec/nexio/ach': () => ({ status: 404 }),
  'POST /v1/ec/nexio/ach': () => ({
    body: { routingNumber: '231375151', accountHolderName: 'Ada Payer', encryptedBankAccountNumber: 'A'.repeat(344) },
    status: 404,
  }),
  'DELETE /v1/ec/nexio/ach/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),
  'PUT /v1/ec/allow-reseller-charge': () => ({ body: { allowResellerCharge: false }, status: 200 }),
  'PUT /v1/ec/service-items/{id}': ({ serviceItem, marker }) => ({
    params: { id: serviceItem },
    body: { description: `${marker}item-text`, costCentre: `${marker}cost-centre` },
    status: 200,
  }),
}

/** An example request of an endpoint; an endpoint without parameters needs none. */
export const exampleOf = (call: Endpoint, own: TenantCustomer): Example => {
  const name = `${call.method} ${call.path}`
  const example = EXAMPLES[name]
  if (example !== undefined) return example(own)
  if (call.params !== undefined || call.body !== undefined)
    throw new Error(`Tell in server/test/support/example-requests.ts how ${name} is called.`)
  return { status: 200 }
}
