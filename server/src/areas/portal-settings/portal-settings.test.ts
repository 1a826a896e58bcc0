import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { clientFor, signInAs, type TestSession } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addCustomer, addTenant, addPerson, changeReseller } from '../../../test/support/people.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
  tenant = await addTenant(context, { reseller: { legal_name: 'Nimbus Pty Ltd' } })
  session = await signInAs(app, tenant.person)
})
afterAll(() => context.close())

const get = async (path: string): Promise<unknown> => (await clientFor(app, session, tenant.customerId).get(path)).json()

const OFF = { enabled: false, bulk: false, paymentType: 0, billingAddressRequired: false, emailReceipt: false, adjustments: [] }

test('[NAV-03] settings have the default labels and payments off until the reseller says otherwise', async () => {
  expect(await get('/v1/ec/settings')).toEqual({
    invoiceLabel: { singular: 'Invoice', plural: 'Invoices' },
    companyName: 'Nimbus Pty Ltd',
    payments: OFF,
  })
})

test("[SESS-05] both calls give the reseller's settings, each by its own names", async () => {
  await changeReseller(context, tenant.resellerId, {
    invoice_label_singular: 'Rechnung',
    invoice_label_plural: 'Rechnungen',
    payments_enabled: true,
    payments_bulk: true,
    payment_type: 4,
    payment_billing_address_required: true,
    payment_email_receipt: true,
    publishable_key: 'pk_1',
    direct_debit_payment_method_id: 2,
    payment_type_disclaimer: 'Only cards',
    currency_symbol: '€',
  })
  expect(await get('/v1/ec/settings')).toEqual({
    invoiceLabel: { singular: 'Rechnung', plural: 'Rechnungen' },
    companyName: 'Nimbus Pty Ltd',
    payments: { enabled: true, bulk: true, paymentType: 4, billingAddressRequired: true, emailReceipt: true, adjustments: [] },
  })
  expect(await get('/v1/ec/payments/details')).toEqual({
    paymentType: 4,
    publishableKey: 'pk_1',
    scriptUrl: null,
    takesCardNumbers: false,
    splitCardFields: false,
    directDebitPaymentMethodId: 2,
    paymentTypeDisclaimer: 'Only cards',
    companyName: 'Nimbus Pty Ltd',
    paymentEmailReceipt: true,
    paymentBillingAddressRequired: true,
    invoiceLabelSingular: 'Rechnung',
    invoiceLabelPlural: 'Rechnungen',
    currencySymbol: { symbol: '€' },
    endShowDashboard: true,
    endShowInvoices: true,
    endShowTransactions: true,
    endShowUsage: true,
    endShowReports: true,
    endShowCostCentre: true,
    endShowServiceItem: true,
    endShowOpeningBalance: true,
    endShowUsageCostCentre: false,
    endPortalTransactionsExtraTab1: false,
    endPortalTransactionsExtraTab2: false,
    endPortalTransactionsExtraTab3: false,
    endPortalTransactionsExtraTab4: false,
    endPortalTransactionsExtraTab5: false,
  })
})

test('[INV-02] bulk payment is off where payments are', async () => {
  await changeReseller(context, tenant.resellerId, { payments_enabled: false, payments_bulk: true })
  expect(await get('/v1/ec/settings')).toMatchObject({ payments: { enabled: false, bulk: false } })
})

test("[NAV-02] the flags are those of the user's own brand", async () => {
  const { resellerId } = tenant
  const brandId = await addBrand(context, resellerId, { end_show_usage: false, end_portal_transactions_extra_tab2: true })
  const person = await addPerson(context, resellerId, brandId, [await addCustomer(context, resellerId, brandId)])
  const answer = await clientFor(app, await signInAs(app, person)).get('/v1/ec/payments/details')
  expect(answer.json()).toMatchObject({ endShowUsage: false, endShowInvoices: true, endPortalTransactionsExtraTab2: true })
})

test.each([
  ['needs no permission: allowed whatever the customer chose', false, false, true],
  ['needs permission, which the customer gave', true, true, true],
  ['needs permission, which the customer did not give', true, false, false],
])('[PM-05] a reseller that %s', async (_, customer_permission_for_charging, allow_reseller_charge, allowed) => {
  const { resellerId, brandId } = tenant
  await changeReseller(context, resellerId, {
    customer_permission_for_charging,
    confirmation_message_for_charging: 'Are you sure?',
    hide_payment_types_for_customer_users: true,
  })
  const customerId = await addCustomer(context, resellerId, brandId, { allow_reseller_charge })
  const person = await addPerson(context, resellerId, brandId, [customerId])
  expect((await clientFor(app, await signInAs(app, person)).get('/v1/ec/allow-reseller-charge')).json()).toEqual({
    allowResellerCharge: allowed,
    hidePaymentTypesForCustomerUsers: true,
    requireCustomerPermissionForCharging: customer_permission_for_charging,
    confirmationMessageForCharging: 'Are you sure?',
  })
})
