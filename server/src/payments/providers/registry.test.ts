import { Type } from 'typebox'
import { afterAll, expect, test } from 'vitest'
import { clientFor, sendRequest, signInAs } from '../../../test/support/http-client.ts'
import { paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { addInvoice, addTenant, queryAsAdministrator } from '../../../test/support/people.ts'
import { testContext } from '../../../test/support/test-app.ts'
import { saveAccount } from '../accounts/accounts.ts'
import type { PaymentProvider, ProviderOf } from './provider.ts'

/** A provider that takes Canadian dollars alone, adds no fees, and has API paths and a form of its own. */
const vault: ProviderOf<{ secret: string }> = {
  name: 'moneris',
  reviewText: 'At its desk.',
  account: { settings: Type.Object({ secret: Type.String() }), identifyingSettings: ['secret'], liveHosts: /^vault\.example$/ },
  idempotency: 'never',
  entry: {
    accepts: ['token'],
    payForm: { integrationType: 'Vault', usesIframe: true, needsHolder: true },
    page: {
      script: { liveUrl: 'https://js.vault.example/vault.js', standInPath: '/vault.js' },
      liveOrigins: { script: ['https://js.vault.example'], frame: [], connect: [] },
    },
  },
  notFoundMeansUnpaidAfterMs: null,
  amounts: { currencies: () => ['CAD'] },
  storing: {
    pathFamily: 'vault',
    store: async () => ({ state: 'unknown', detail: 'nothing is stored here' }),
    remove: async () => undefined,
  },
  prepareStoredMethodCharge: async () => ({ state: 'not_sent', detail: 'nothing is stored here' }),
  prepareNewCardCharge: async (_context, { merchantReference, amount }) => ({
    providerRef: null,
    submit: async () => ({ state: 'succeeded', providerRef: `ref ${merchantReference}`, amount, refunded: 0n, reversed: 0n }),
  }),
  lookUp: async () => ({ state: 'absent', detail: 'nothing is stored here' }),
  redact: (transcript) => transcript,
}

const providers = (name: string): PaymentProvider | undefined => (name === 'moneris' ? (vault as PaymentProvider) : undefined)
const context = await testContext({ ALLOW_EMBEDDED_PAYMENTS: '1' }, { providers })
const app = await context.app()
afterAll(() => context.close())

const addReseller = async (name: string, paymentType: number) => {
  const tenant = await addTenant(context, { reseller: { name, payment_type: paymentType, payments_enabled: true, payments_bulk: true } })
  const session = await signInAs(app, tenant.person)
  return { ...tenant, me: clientFor(app, session, tenant.customerId) }
}

const maple = await addReseller('Maple', 5)
await saveAccount(
  { ...context, providers },
  { resellerId: maple.resellerId, provider: 'moneris', baseUrl: 'https://vault.example', settings: { secret: 'x' } },
)
await queryAsAdministrator(
  context,
  `insert into payment_fee_rule (reseller_id, line, currency, percent, fixed_minor) values ($1, 'CREDIT_CARD_FEE', 'CAD', 2, 0)`,
  [maple.resellerId],
)
const unbuilt = await addReseller('Outback', 10)

test('[SP-01] the public page has what the provider names: its form, its script, and none of another provider’s fees', async () => {
  const { token } = await paymentLinkOf(context, await addInvoice(context, maple.resellerId, maple.customerId, { currency: 'CAD' }))
  const { body } = await sendRequest(app, { url: `/v1/ec/payment/details/${token}` })
  expect(JSON.parse(body)).toMatchObject({
    paymentType: 5,
    integrationType: 'Vault',
    isFrame: true,
    requiredCardHolder: true,
    scriptUrl: 'https://js.vault.example/vault.js',
    fee: 0,
    apiStatus: true,
  })
})

test('[SP-01] a currency that the provider does not take is refused before anything is claimed', async () => {
  const pay = async (currency: string) => {
    const invoice = await addInvoice(context, maple.resellerId, maple.customerId, { currency })
    const { token, number } = await paymentLinkOf(context, invoice)
    const payload = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken: 'tok', cardHolder: 'Ada Payer' }
    return sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload })
  }
  const refused = await pay('AUD')
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'currency_not_accepted', userMessage: 'Payments in AUD are not possible here.' },
  ])
  expect(await queryAsAdministrator(context, 'select id from payment_attempt', [])).toEqual([])
  expect((await pay('CAD')).json()).toMatchObject({ status: 'succeeded' })
})

test('[API-01] [PM-01] paths of another provider’s family do not exist', async () => {
  expect((await maple.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
  expect((await maple.me.post('/v1/ec/payments/cards', { token: 'tok' })).statusCode).toBe(404)
})

test('[SP-01] of a provider that this server does not have, no path exists and no payment can be made', async () => {
  expect((await unbuilt.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
  const { token, number } = await paymentLinkOf(context, await addInvoice(context, unbuilt.resellerId, unbuilt.customerId))
  const details = JSON.parse((await sendRequest(app, { url: `/v1/ec/payment/details/${token}` })).body)
  expect(details).toMatchObject({ paymentType: 10, integrationType: null, scriptUrl: null, apiStatus: false })
  const payload = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken: 'tok', cardHolder: 'Ada Payer' }
  const refused = await sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload })
  expect([refused.statusCode, refused.json()]).toMatchObject([503, { code: 'provider_not_configured' }])
})
