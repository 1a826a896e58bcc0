import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestStripe, PUBLISHABLE_KEY, startTestStripe } from '../test/test-stripe.ts'
import { launchBrowser } from '../../test/launch-browser.ts'
import { startShop } from '../test/test-shop.ts'

let stripe: TestStripe
let browser: Browser
let shop: Awaited<ReturnType<typeof startShop>>
let context: BrowserContext
let page: Page
let customer: string

beforeAll(async () => {
  stripe = await startTestStripe()
  shop = await startShop(stripe.url)
  browser = await launchBrowser()
})
beforeEach(async () => {
  customer = (await stripe.client.customers.create({ name: 'A' })).id
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(`${shop.url}/pay`)
})
afterEach(async () => {
  await context.close()
})
afterAll(async () => {
  await browser.close()
  await shop.close()
  await stripe.stop()
})

/** Runs code in the page, where `stripe` and `elements` are created once. */
const runInPage = async <Result>(body: string): Promise<Result> =>
  (await page.evaluate(`(async () => {
    window.stripe ??= Stripe('${PUBLISHABLE_KEY}', { locale: 'en' })
    window.elements ??= stripe.elements()
    window.events ??= []
    const listen = (element) => { for (const name of ['ready', 'change', 'focus', 'blur']) element.on(name, (event) => events.push({ name, ...event })); return element }
    ${body}
  })()`)) as Result

const frame = (title: string): FrameLocator => page.frameLocator(`iframe[title="${title}"]`)

const NUMBER = 'Credit or debit card number'
const EXPIRY = 'Credit or debit card expiration date'
const CVC = 'Credit or debit card CVC/CVV'

const typeCard = async (number: string): Promise<void> => {
  await runInPage(`listen(elements.create('card', { hidePostalCode: true, style: { base: { fontSize: '16px' } } })).mount('#one')`)
  const card = frame('Secure card payment input frame')
  await card.getByLabel(NUMBER).pressSequentially(number)
  await card.getByLabel(EXPIRY).pressSequentially('1240')
  await card.getByLabel(CVC).pressSequentially('123')
}

interface ElementEvent {
  readonly name: string
  readonly elementType: string
  readonly [detail: string]: unknown
}

const events = async (name: string): Promise<ElementEvent[]> =>
  (await runInPage<ElementEvent[]>('return events')).filter((event) => event.name === name)

/** Starts a promise in the page without waiting for it. */
const startInPage = async (body: string): Promise<void> => {
  await page.evaluate(`void (window.outcome = ${body})`)
}

const awaitOutcome = async <Result>(): Promise<Result> => (await page.evaluate('window.outcome')) as Result

interface Outcome {
  readonly error?: { readonly code: string; readonly message: string; readonly type: string }
  readonly paymentMethod?: { readonly id: string; readonly card: { readonly last4: string } }
  readonly setupIntent?: { readonly status: string; readonly payment_method: string }
  readonly paymentIntent?: { readonly status: string }
}

test('the card is typed in a frame of another origin, whose events do not contain what was typed', async () => {
  await typeCard('4242424242424242')
  const address = await page.locator('iframe').getAttribute('src')
  expect(new URL(address ?? '').origin).toBe(stripe.url)
  expect(await events('ready')).toEqual([{ name: 'ready', elementType: 'card' }])
  expect((await events('focus')).length).toBe(1)
  await expect.poll(async () => (await events('change')).at(-1)).toMatchObject({ empty: false, complete: true })
  const changes = await events('change')
  expect(changes.at(0)).toMatchObject({ elementType: 'card', empty: false, complete: false, brand: 'visa' })
  expect(JSON.stringify(await runInPage('return events'))).not.toContain('4242')
  expect(
    await page.evaluate(
      `(() => { try { return document.querySelector('iframe').contentWindow.document.title } catch (error) { return error.name } })()`,
    ),
  ).toBe('SecurityError')
  const classes = await page.locator('#one').getAttribute('class')
  expect(classes?.split(' ').toSorted()).toEqual(['StripeElement', 'StripeElement--complete', 'StripeElement--focus'])
})

test('a card becomes a payment method without its number passing through the page', async () => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(`${new URL(request.frame().url()).origin} ${request.url()} ${request.postData() ?? ''}`)
  })
  await typeCard('4242424242424242')
  const result = await runInPage<Outcome>(
    `return stripe.createPaymentMethod({ type: 'card', card: elements.getElement('card'), billing_details: { name: 'Ann', address: { country: 'AU' } } })`,
  )
  expect(result.paymentMethod).toMatchObject({ card: { last4: '4242' } })
  const retrieved = await stripe.client.paymentMethods.retrieve(result.paymentMethod?.id ?? '')
  expect(retrieved).toMatchObject({
    card: { exp_month: 12, exp_year: 2040, checks: { cvc_check: 'pass' } },
    billing_details: { name: 'Ann', address: { country: 'AU' } },
  })
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatch(new RegExp(`^${stripe.url} ${stripe.url}/stripe/v1/payment_methods .*card%5Bnumber%5D=4242424242424242`))
})

test('a card becomes a token, which makes one payment method', async () => {
  await typeCard('4242424242424242')
  const { token } = await runInPage<{ token?: { id: string; card: object } }>(
    `return stripe.createToken(elements.getElement('card'), { name: 'Ann' })`,
  )
  expect(token).toMatchObject({ id: expect.stringMatching(/^tok_/), card: { brand: 'visa', last4: '4242' } })
  const use = () => stripe.client.paymentMethods.create({ type: 'card', card: { token: token?.id ?? '' } })
  expect(await use()).toMatchObject({ card: { last4: '4242', exp_year: 2040 } })
  await expect(use()).rejects.toMatchObject({ code: 'token_already_used' })
  expect(await stripe.client.paymentMethods.create({ type: 'card', card: { token: 'tok_mastercard' } })).toMatchObject({
    card: { brand: 'mastercard' },
  })
})

test('three frames make one card, and a card element beside them is separate', async () => {
  await runInPage(`
    listen(elements.create('cardNumber')).mount('#one')
    listen(elements.create('cardExpiry')).mount('#two')
    listen(elements.create('cardCvc')).mount('#three')`)
  const early = await runInPage<Outcome>(`return stripe.createPaymentMethod({ type: 'card', card: elements.getElement('cardNumber') })`)
  expect(early.error).toMatchObject({ type: 'validation_error', code: 'incomplete_number' })
  await frame('Secure card number input frame').getByLabel(NUMBER).fill('378282246310005')
  await frame('Secure expiration date input frame').getByLabel(EXPIRY).fill('12 / 40')
  await frame('Secure CVC input frame').getByLabel(CVC).fill('1234')
  const result = await runInPage<Outcome>(
    `return stripe.createPaymentMethod({ type: 'card', card: elements.getElement({ __elementType: 'cardNumber' }) })`,
  )
  expect(result.paymentMethod).toMatchObject({ card: { brand: 'amex', last4: '0005', exp_year: 2040 } })
  await runInPage(`elements.getElement('cardExpiry').destroy(); listen(elements.create('card', { hidePostalCode: true })).mount('#two')`)
  const card = frame('Secure card payment input frame')
  await card.getByLabel(NUMBER).fill('4242424242424242')
  await card.getByLabel(EXPIRY).fill('1241')
  await card.getByLabel(CVC).fill('123')
  const other = await runInPage<Outcome>(`return stripe.createPaymentMethod({ type: 'card', card: elements.getElement('card') })`)
  expect(other.paymentMethod).toMatchObject({ card: { last4: '4242', exp_year: 2041 } })
})

test.each([
  ['4242424242424241', '1240', 'invalid_number', 'Your card number is invalid.'],
  ['4242424242424242', '1220', 'invalid_expiry_year_past', "Your card's expiration year is in the past."],
  ['42424242', '', 'incomplete_number', 'Your card number is incomplete.'],
])('the card %s with %s is invalid at once or on blur: %s', async (number, expiry, code, message) => {
  await runInPage(`listen(elements.create('card', { hidePostalCode: true })).mount('#one')`)
  const card = frame('Secure card payment input frame')
  await card.getByLabel(NUMBER).pressSequentially(number)
  if (expiry !== '') await card.getByLabel(EXPIRY).pressSequentially(expiry)
  await card.getByLabel(CVC).focus()
  await expect
    .poll(async () => (await events('change')).at(-1))
    .toMatchObject({ complete: false, error: { type: 'validation_error', code, message } })
})

test('numbers are grouped, and can be deleted', async () => {
  await typeCard('4242424242424242')
  const card = frame('Secure card payment input frame')
  expect(await card.getByLabel(NUMBER).inputValue()).toBe('4242 4242 4242 4242')
  expect(await card.getByLabel(EXPIRY).inputValue()).toBe('12 / 40')
  await card.getByLabel(EXPIRY).press('End')
  for (let times = 0; times < 7; times += 1) await card.getByLabel(EXPIRY).press('Backspace')
  expect(await card.getByLabel(EXPIRY).inputValue()).toBe('')
  await card.getByLabel(EXPIRY).pressSequentially('940')
  expect(await card.getByLabel(EXPIRY).inputValue()).toBe('09 / 40')
})

test('an element is disabled, cleared, destroyed and created again', async () => {
  await typeCard('4242')
  await runInPage(`elements.getElement('card').update({ disabled: true })`)
  const card = frame('Secure card payment input frame')
  await expect.poll(() => card.getByLabel(NUMBER).isDisabled()).toBe(true)
  await runInPage(`elements.getElement('card').update({ disabled: false }).clear()`)
  await expect.poll(() => card.getByLabel(NUMBER).inputValue()).toBe('')
  await runInPage(`elements.getElement('card').destroy()`)
  expect(await page.locator('iframe').count()).toBe(0)
  await runInPage(`elements.create('card').mount('#two')`)
  await card.getByLabel('ZIP').waitFor()
})

test('a card is saved: 3-D Secure opens over the page, and completing it succeeds', async () => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  await typeCard('4000002500003155')
  await startInPage(
    `stripe.confirmCardSetup('${intent.client_secret}', { payment_method: { card: elements.getElement('card'), billing_details: { name: 'Ann' } } })`,
  )
  await frame('3D Secure authentication').getByRole('button', { name: 'Complete' }).click()
  const { setupIntent } = await awaitOutcome<Outcome>()
  expect(setupIntent?.status).toBe('succeeded')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await stripe.client.customers.listPaymentMethods(customer)).data.map(({ id }) => id)).toEqual([setupIntent?.payment_method])
})

test('a card payment whose 3-D Secure fails is refused, and nothing is booked', async () => {
  const intent = await stripe.client.paymentIntents.create({
    amount: 1234,
    currency: 'aud',
    customer,
    allowed_payment_method_types: ['card'],
  })
  await typeCard('4000002760003184')
  await startInPage(`stripe.confirmCardPayment('${intent.client_secret}', { payment_method: { card: elements.getElement('card') } })`)
  await frame('3D Secure authentication').getByRole('button', { name: 'Fail' }).click()
  expect((await awaitOutcome<Outcome>()).error).toMatchObject({ code: 'payment_intent_authentication_failure' })
  expect(await stripe.ledger()).toEqual([])
})

test('a declined card returns the bank’s message', async () => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: ['card'] })
  await typeCard('4000000000009995')
  const { error } = await runInPage<Outcome>(
    `return stripe.confirmCardSetup('${intent.client_secret}', { payment_method: { card: elements.getElement('card') } })`,
  )
  expect(error).toMatchObject({ type: 'card_error', code: 'card_declined', message: 'Your card has insufficient funds.' })
})

test('handleNextAction completes an action that the server started', async () => {
  const response = await stripe.call(
    'POST',
    '/v1/payment_intents',
    `amount=500&currency=aud&allowed_payment_method_types[]=card&payment_method=pm_card_authenticationRequired&confirm=true&use_stripe_sdk=true`,
  )
  expect(response.body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
  await startInPage(`Stripe('${PUBLISHABLE_KEY}').handleNextAction({ clientSecret: '${response.body.client_secret}' })`)
  await frame('3D Secure authentication').getByRole('button', { name: 'Complete' }).click()
  expect((await awaitOutcome<Outcome>()).paymentIntent?.status).toBe('succeeded')
})

test.each([
  ['Complete', 'succeeded', 'succeeded'],
  ['Fail', 'failed', 'requires_payment_method'],
])('the bank’s page redirects back to the portal: %s', async (button, status, state) => {
  const intent = await stripe.client.paymentIntents.create({
    amount: 500,
    currency: 'aud',
    allowed_payment_method_types: ['card'],
    payment_method: 'pm_card_threeDSecure2Required',
    confirm: true,
    return_url: `${shop.url}/payment-result?req_uid=7`,
  })
  await page.goto(intent.next_action?.redirect_to_url?.url ?? '')
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(/payment-result/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    req_uid: '7',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: status,
    source_type: 'card',
  })
  expect((await stripe.client.paymentIntents.retrieve(intent.id)).status).toBe(state)
})

test('an Australian bank account is saved with its mandate', async () => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: ['au_becs_debit'] })
  await runInPage(`listen(elements.create('auBankAccount')).mount('#one')`)
  const account = frame('Secure bank account input frame')
  await account.getByLabel('BSB').pressSequentially('000000')
  await account.getByLabel('Account number').pressSequentially('000123456')
  await expect
    .poll(async () => (await events('change')).at(-1))
    .toMatchObject({ elementType: 'auBankAccount', complete: true, bankName: 'Stripe Test Bank' })
  const { setupIntent } = await runInPage<Outcome>(`
    return stripe.confirmAuBecsDebitSetup('${intent.client_secret}', {
      payment_method: { au_becs_debit: elements.getElement('auBankAccount'), billing_details: { name: 'Ann', email: 'ann@example.com' } } })`)
  expect(setupIntent?.status).toBe('succeeded')
  const method = await stripe.client.paymentMethods.retrieve(setupIntent?.payment_method ?? '')
  expect(method).toMatchObject({
    customer,
    au_becs_debit: { bsb_number: '000000', last4: '3456' },
    billing_details: { email: 'ann@example.com' },
  })
})

test('an IBAN is saved, and one of an unsupported country is invalid at once', async () => {
  const intent = await stripe.client.setupIntents.create({ customer, allowed_payment_method_types: ['sepa_debit'] })
  await runInPage(`listen(elements.create('iban', { supportedCountries: ['SEPA'] })).mount('#one')`)
  const iban = frame('Secure IBAN input frame').getByLabel('IBAN')
  await iban.fill('US1234')
  await expect.poll(async () => (await events('change')).at(-1)).toMatchObject({ error: { code: 'invalid_iban_country_code' } })
  await iban.fill('AT611904300234573201')
  expect(await iban.inputValue()).toBe('AT61 1904 3002 3457 3201')
  const { setupIntent } = await runInPage<Outcome>(`
    return stripe.confirmSepaDebitSetup('${intent.client_secret}', {
      payment_method: { sepa_debit: elements.getElement('iban'), billing_details: { name: 'Ann', email: 'ann@example.com' } } })`)
  expect(setupIntent?.status).toBe('succeeded')
})

test('an unreachable sandbox returns an error and does not reject', async () => {
  await typeCard('4242424242424242')
  // A browser retries by itself when a reused connection is dropped.
  await stripe.postControl('/faults', { provider: 'stripe', operation: 'tokenise', kind: 'drop', times: 5 })
  const { error } = await runInPage<Outcome>(`return stripe.createPaymentMethod({ type: 'card', card: elements.getElement('card') })`)
  expect(error?.type).toBe('api_connection_error')
})
