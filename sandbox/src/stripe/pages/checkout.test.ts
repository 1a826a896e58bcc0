import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { type TestStripe, startTestStripe } from '../test/test-stripe.ts'
import { launchBrowser } from '../../test/launch-browser.ts'
import { startShop } from '../test/test-shop.ts'

let stripe: TestStripe
let browser: Browser
let shop: Awaited<ReturnType<typeof startShop>>
let page: Page
let customer: string

beforeAll(async () => {
  stripe = await startTestStripe()
  shop = await startShop(stripe.url)
  browser = await launchBrowser()
})
beforeEach(async () => {
  customer = (await stripe.client.customers.create({ name: 'Ann', email: 'ann@example.com' })).id
  page = await (await browser.newContext()).newPage()
})
afterEach(async () => {
  await page.context().close()
})
afterAll(async () => {
  await browser.close()
  await shop.close()
  await stripe.stop()
})

const openCheckout = async (type: 'bacs_debit' | 'us_bank_account') => {
  const session = await stripe.client.checkout.sessions.create({
    mode: 'setup',
    customer,
    allowed_payment_method_types: [type],
    success_url: `${shop.url}/back?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${shop.url}/cancelled`,
    client_reference_id: 'user-7',
    metadata: { uid: '7' },
    setup_intent_data: { metadata: { uid: '7' } },
  })
  await page.goto(session.url ?? '')
  return session
}

const fillForm = async (fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: false }).fill(value)
}

const ANN = { 'Account holder name': 'Ann', Email: 'ann@example.com' }

test.each([
  ['bacs_debit', { 'Sort code': '10-88-00', 'Account number': '00012345' }, { sort_code: '108800', last4: '2345' }],
  ['us_bank_account', { 'Routing number': '110000000', 'Account number': '000123456789' }, { routing_number: '110000000', last4: '6789' }],
] as const)('%s: an account is saved on Checkout’s page, and the customer returns', async (type, fields, details) => {
  const session = await openCheckout(type)
  expect(session).toMatchObject({ status: 'open', payment_status: 'no_payment_required', client_reference_id: 'user-7' })
  await fillForm({ ...ANN, ...fields })
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.waitForURL(`${shop.url}/back?session=${session.id}`)
  const after = await stripe.client.checkout.sessions.retrieve(session.id, { expand: ['setup_intent.payment_method'] })
  expect(after).toMatchObject({
    status: 'complete',
    url: null,
    setup_intent: { status: 'succeeded', metadata: { uid: '7' }, payment_method: { customer, [type]: details } },
  })
  const saved = await stripe.client.paymentMethods.list({ customer, type })
  expect(saved.data).toHaveLength(1)
  await page.goto(session.url ?? '')
  await page.getByText('the account is saved').waitFor()
})

test('the page shows what is wrong, and keeps what was entered', async () => {
  await openCheckout('bacs_debit')
  await fillForm({ ...ANN, 'Sort code': '108800', 'Account number': '123' })
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  expect(await page.getByRole('alert').textContent()).toBe('The account number is not valid.')
  expect(await page.getByLabel('Sort code').inputValue()).toBe('108800')
  await page.getByLabel('Account number').fill('00044444')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.getByText('This bank account cannot be debited').waitFor()
  expect((await stripe.client.paymentMethods.list({ customer })).data).toEqual([])
})

test('cancelling returns, and nothing is saved', async () => {
  const session = await openCheckout('bacs_debit')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(`${shop.url}/cancelled`)
  expect((await stripe.client.checkout.sessions.retrieve(session.id)).status).toBe('open')
})

test('an expired or unknown session has no form', async () => {
  const session = await openCheckout('bacs_debit')
  expect((await stripe.client.checkout.sessions.expire(session.id)).status).toBe('expired')
  await page.reload()
  await page.getByText('This page has expired').waitFor()
  expect((await fetch(`${stripe.url}/stripe/c/pay/cs_test_none`)).status).toBe(404)
  await expect(stripe.client.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 })
})

test('a completed session sends events, and a mandate that the bank rejects is deactivated', async () => {
  const receiver = await startWebhookReceiver()
  await stripe.client.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['checkout.session.completed', 'setup_intent.succeeded', 'mandate.updated'],
  })
  await openCheckout('bacs_debit')
  await fillForm({ ...ANN, 'Sort code': '108800', 'Account number': '00033333' })
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  const received = (await receiver.waitFor(3)).map(({ event }) => event.type)
  expect(received).toEqual(['setup_intent.succeeded', 'checkout.session.completed', 'mandate.updated'])
  await receiver.close()
})

test.each([
  [{ mode: 'payment' }, 'mode'],
  [{ success_url: 'nowhere' }, 'success_url'],
  [{ allowed_payment_method_types: undefined }, 'currency'],
])('a session with %j is rejected', async (more, param) => {
  const session = {
    mode: 'setup' as const,
    success_url: 'http://x.example',
    allowed_payment_method_types: ['bacs_debit' as const],
    ...more,
  }
  await expect(
    stripe.client.checkout.sessions.create(session as Parameters<typeof stripe.client.checkout.sessions.create>[0]),
  ).rejects.toMatchObject({
    statusCode: 400,
    param,
  })
})

test('a US bank account is verified on its page by the two microdeposits', async () => {
  const intent = await stripe.client.setupIntents.create({
    customer,
    payment_method: 'pm_usBankAccount_success',
    allowed_payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
    confirm: true,
  })
  await page.goto(intent.next_action?.verify_with_microdeposits?.hosted_verification_url ?? '')
  const verify = async (first: string, second: string): Promise<void> => {
    await page.getByLabel('First deposit').fill(first)
    await page.getByLabel('Second deposit').fill(second)
    await page.getByRole('button', { name: 'Verify' }).click()
  }
  await verify('1', '2')
  await page.getByRole('alert').waitFor()
  await verify('45', '32')
  await page.getByText('Your bank account is verified.').waitFor()
  expect((await stripe.client.setupIntents.retrieve(intent.id)).status).toBe('succeeded')
})
