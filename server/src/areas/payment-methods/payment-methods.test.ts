import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { describe, expect, test } from 'vitest'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { saveAccount } from '../../payments/accounts/accounts.ts'
import { queryAsAdministrator, changeReseller } from '../../../test/support/people.ts'
import { accountKeys, WEBHOOK_SECRET } from '../../../test/payments/sandbox.ts'
import { addPayingCustomer, answerBankPage, CARDS, type PayingCustomer } from '../../../test/payments/payments-fixture.ts'

const fixture = await usePaymentsFixture()

const cardsOf = async (payer: PayingCustomer): Promise<Card[]> => (await payer.me.get('/v1/ec/payments/cards')).json()
const banksOf = async (payer: PayingCustomer): Promise<BankMethod[]> => (await payer.me.get('/v1/ec/payments/payment-methods')).json()

test('[PM-04] [PM-09] [PM-10] the first card becomes the default; after deleting the default the first remaining one does', async () => {
  const payer = await addPayingCustomer(fixture)
  expect(await cardsOf(payer)).toEqual([])
  const [first, second, third] = [await payer.storeCard(), await payer.storeCard(), await payer.storeCard('5555555555554444')]
  const defaults = async () => (await cardsOf(payer)).filter(({ isDefault }) => isDefault).map(({ id }) => id)
  expect((await cardsOf(payer)).map(({ id }) => id)).toEqual([first, second, third])
  expect(await defaults()).toEqual([first])

  expect((await payer.me.put('/v1/ec/payments/customer-default-source', { id: third })).statusCode).toBe(204)
  expect(await defaults()).toEqual([third])
  expect((await payer.me.remove(`/v1/ec/payments/cards/${third}`)).statusCode).toBe(204)
  expect(await defaults()).toEqual([first])
  expect((await payer.me.remove(`/v1/ec/payments/cards/${third}`)).statusCode).toBe(404)
  expect((await cardsOf(payer)).map(({ id }) => id)).toEqual([first, second])
})

test('[PM-04] [PM-10] each change of a stored method stands in the audit log, with who made it and nothing of the card', async () => {
  const payer = await addPayingCustomer(fixture)
  const [first, second] = [await payer.storeCard(), await payer.storeCard()]
  await payer.me.put('/v1/ec/payments/customer-default-source', { id: second })
  await payer.me.remove(`/v1/ec/payments/cards/${second}`)
  const events = await queryAsAdministrator(
    fixture.context,
    `select action, actor_kind as kind, subject, detail from audit_entry where about_customer_id = $1 and action like 'payment-method.%' order by seq`,
    [payer.customerId],
  )
  const event = (what: string, id: string) => ({
    action: `payment-method.${what}`,
    kind: 'user',
    subject: `payment method ${id}`,
    detail: null,
  })
  expect(events).toEqual([event('added', first), event('added', second), event('made-default', second), event('removed', second)])
  expect((await verifyAudit(fixture.context.store, fixture.context.keys)).faults).toEqual([])
})

test('[PM-02] [PM-10] a card is listed by brand, last four and expiry, and nothing more of its number', async () => {
  const payer = await addPayingCustomer(fixture)
  await payer.storeCard('5555555555554444')
  const answer = await payer.me.get('/v1/ec/payments/cards')
  expect(answer.json()).toEqual([
    {
      id: expect.any(String),
      isDefault: true,
      sourceType: 'CC',
      address: { line1: null, line2: null, city: null, postalCode: null, state: null, country: null },
      stripeCard: { brand: 'mastercard', last4: '4444', expMonth: 12, year: 2031, name: null },
    },
  ])
  expect(answer.body).not.toMatch(/pm_|55555/)
})

test('[PM-06] a card that is declined is not stored, and the bank says why', async () => {
  const payer = await addPayingCustomer(fixture)
  const answer = await payer.me.post('/v1/ec/payments/cards', { token: await payer.cardToken(CARDS.poor) })
  expect([answer.statusCode, answer.json().userMessage]).toEqual([400, 'Your card has insufficient funds.'])
  expect(await cardsOf(payer)).toEqual([])
})

test('[PM-07] [PM-10] a card whose bank asks sends the browser there, and is stored once its owner has confirmed', async () => {
  const payer = await addPayingCustomer(fixture)
  const answer = await payer.me.post('/v1/ec/payments/cards', { token: await payer.cardToken(CARDS.asks) })
  expect(answer.json()).toEqual({ status: 'requires_action', redirectToUrl: expect.stringContaining('/3d_secure_2/'), id: null })
  expect(await cardsOf(payer)).toEqual([])
  expect(await answerBankPage(answer.json().redirectToUrl, 'complete')).toContain('/payment-types')
  expect(await cardsOf(payer)).toMatchObject([{ isDefault: true }])
})

describe('[PM-08] the expiry of a card', () => {
  test.each([
    [12, 2035, 200],
    [0, 2035, 400],
    [13, 2035, 400],
    [1, 2071, 400],
    [1, 2020, 400],
  ])('changes to %i/%i: %i', async (expMonth, year, status) => {
    const payer = await addPayingCustomer(fixture)
    const id = await payer.storeCard()
    const change = { paymentSourceId: id, stripeCard: { expMonth, year, name: 'Ada Payer', brand: 'ignored' }, address: { city: 'Sydney' } }
    const answer = await payer.me.put('/v1/ec/payments/cards', change)
    expect(answer.statusCode, answer.body).toBe(status)
    if (status === 400) expect(answer.json()).toMatchObject({ message: 'Please provide valid date' })
    else expect((await cardsOf(payer))[0]).toMatchObject({ stripeCard: { expMonth, year, name: 'Ada Payer' }, address: { city: 'Sydney' } })
  })
})

test('[PM-11] [PM-15] a BECS account is stored with its mandate, listed and removed', async () => {
  const payer = await addPayingCustomer(fixture)
  const id = await payer.storeDebit()
  expect(await banksOf(payer)).toEqual([
    {
      id,
      isDefault: true,
      type: 'au_becs_debit',
      status: 'ready',
      aubecsDebit: { bsbNumber: '000000', last4: '3456' },
      billingDetails: {
        name: 'Ada Payer',
        email: 'ada@example.com',
        phone: null,
        address: { line1: null, line2: null, city: null, postalCode: null, state: null, country: null },
      },
    },
  ])
  expect((await payer.me.remove(`/v1/ec/payments/payment-methods/${id}/detach`)).statusCode).toBe(204)
  expect(await banksOf(payer)).toEqual([])
})

test('[PM-15] a setup intent is what the script in the browser needs, and says which methods it may store', async () => {
  const payer = await addPayingCustomer(fixture, { publishable_key: 'pk_test_page' })
  expect((await payer.me.get('/v1/ec/payments/setup-intent')).json()).toEqual({
    id: expect.stringMatching(/^seti_/),
    clientSecret: expect.stringMatching(/^seti_\w+_secret_/),
    publishableKey: 'pk_test_page',
    paymentMethodTypes: ['card', 'au_becs_debit'],
  })
})

test.each([
  ['[PM-12] US ACH', 2, 'us_bank_account', 'USD'],
  ['[PM-13] BACS', 3, 'bacs_debit', 'GBP'],
])("%s accounts are stored on the provider's own page", async (_, id, type, currency) => {
  const payer = await addPayingCustomer(fixture, { direct_debit_payment_method_id: id, currency })
  const answer = await payer.me.get(`/v1/ec/payments/checkout-session/${type}`)
  expect(answer.json(), answer.body).toEqual({ id: expect.stringMatching(/^cs_/), url: expect.stringContaining(fixture.sandbox.url) })
  const other = type === 'bacs_debit' ? 'us_bank_account' : 'bacs_debit'
  expect((await payer.me.get(`/v1/ec/payments/checkout-session/${other}`)).statusCode).toBe(409)
})

test('[PM-09] what the provider cannot be asked about is shown as it was known, and nothing is lost', async () => {
  const payer = await addPayingCustomer(fixture)
  const id = await payer.storeCard()
  await fixture.sandbox.fault({ operation: 'methods', kind: 'error', times: 2 })
  expect(await cardsOf(payer)).toMatchObject([{ id }])
  await fixture.sandbox.fault({ operation: 'detach', kind: 'error', booked: false })
  const answer = await payer.me.remove(`/v1/ec/payments/cards/${id}`)
  expect([answer.statusCode, answer.json().userMessage]).toEqual([503, 'We could not reach the payment provider. Please try again.'])
  expect(await cardsOf(payer)).toMatchObject([{ id }])
})

test("another customer's method can be neither changed nor removed nor made the default", async () => {
  const [payer, stranger] = [await addPayingCustomer(fixture), await addPayingCustomer(fixture)]
  const id = await payer.storeCard()
  expect((await stranger.me.put('/v1/ec/payments/cards', { id, stripeCard: { name: 'Mine now' } })).statusCode).toBe(404)
  expect((await stranger.me.remove(`/v1/ec/payments/cards/${id}`)).statusCode).toBe(404)
  expect((await stranger.me.put('/v1/ec/payments/customer-default-source', { id })).statusCode).toBe(404)
  expect(await cardsOf(payer)).toMatchObject([{ id }])
})

test('[PM-05] consent to be charged is given and withdrawn', async () => {
  const payer = await addPayingCustomer(fixture)
  await changeReseller(fixture.context, payer.resellerId, { customer_permission_for_charging: true })
  for (const allowResellerCharge of [true, false]) {
    const answer = await payer.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge })
    expect(answer.json()).toMatchObject({ allowResellerCharge, requireCustomerPermissionForCharging: true })
    expect((await payer.me.get('/v1/ec/allow-reseller-charge')).json()).toMatchObject({ allowResellerCharge })
  }
})

test('credentials are sealed: nothing of them stands in the database, nor in any answer', async () => {
  const payer = await addPayingCustomer(fixture)
  const [row] = await queryAsAdministrator<{ sealed: Buffer }>(
    fixture.context,
    'select sealed from payment_account where reseller_id = $1',
    [payer.resellerId],
  )
  expect(row?.sealed.toString('latin1')).not.toMatch(/sk_test|whsec/)
  for (const path of ['/v1/ec/payments/details', '/v1/ec/settings', '/v1/ec/payments/setup-intent'])
    expect((await payer.me.get(path)).body).not.toMatch(/sk_test|whsec/)
  expect((await payer.me.get('/v1/ec/payments/details')).json()).toMatchObject({
    scriptUrl: `${fixture.sandbox.url}/stripe/dahlia/stripe.js`,
  })
})

test('live addresses are refused on the embedded database, and credentials never travel in the clear', async () => {
  const { resellerId } = await addPayingCustomer(fixture)
  const settings = { secretKey: 'sk_live_somebody', webhookSecrets: [] }
  const live = saveAccount(fixture.context, { resellerId, provider: 'stripe', baseUrl: 'https://api.stripe.com', settings })
  if (fixture.context.store.kind === 'embedded') await expect(live).rejects.toThrow('ALLOW_EMBEDDED_PAYMENTS=1')
  else await expect(live).resolves.toBeUndefined()
  const clear = saveAccount(fixture.context, { resellerId, provider: 'stripe', baseUrl: 'http://api.example.com', settings })
  await expect(clear).rejects.toThrow('only over https')
  const wrong = saveAccount(fixture.context, {
    resellerId,
    provider: 'stripe',
    baseUrl: 'https://example.com',
    settings: { secretKey: 'x' },
  })
  await expect(wrong).rejects.toThrow('not usable')
})

describe('[PM-09] [PAY-01] a customer whom the provider does not know any more', () => {
  const ownerNow = async ({ customerId }: PayingCustomer): Promise<string | undefined> =>
    (
      await queryAsAdministrator<{ id: string }>(
        fixture.context,
        'select provider_customer_id as id from payment_provider_customer where customer_id = $1',
        [customerId],
      )
    )[0]?.id

  /** Moves the reseller to another account at the provider. */
  const moved = async (payer: PayingCustomer) => {
    const keys = accountKeys(`moved${payer.resellerId}`)
    const settings = { secretKey: keys.secret, webhookSecrets: [WEBHOOK_SECRET] }
    await saveAccount(fixture.context, {
      resellerId: payer.resellerId,
      provider: 'stripe',
      baseUrl: `${fixture.sandbox.url}/stripe`,
      settings,
    })
    const form = { type: 'card', 'card[number]': CARDS.good, 'card[exp_month]': '12', 'card[exp_year]': '2031', 'card[cvc]': '123' }
    return {
      newToken: async () => String((await fixture.sandbox.stripe('/v1/payment_methods', { key: keys.page, ...form }, keys.page))['id']),
    }
  }

  test('is made known anew when it stores a card, and the old cards are gone from the list', async () => {
    const payer = await addPayingCustomer(fixture)
    const [old, former] = [await payer.storeCard(), await ownerNow(payer)]
    const { newToken } = await moved(payer)
    expect((await cardsOf(payer)).map(({ id }) => id)).toEqual([old])
    const answer = await payer.me.post('/v1/ec/payments/cards', { token: await newToken() })
    expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
    expect(await ownerNow(payer)).not.toBe(former)
    expect((await cardsOf(payer)).map(({ id, isDefault }) => [id, isDefault])).toEqual([[answer.json().id, true]])
    const invoice = await payer.invoice()
    expect((await payer.pay(await payer.intent(invoice), { cardId: answer.json().id })).json()).toMatchObject({ status: 'succeeded' })
  })

  test('is made known anew when its form begins', async () => {
    const payer = await addPayingCustomer(fixture)
    await payer.storeCard()
    const former = await ownerNow(payer)
    await moved(payer)
    expect((await payer.me.get('/v1/ec/payments/setup-intent')).json()).toMatchObject({ clientSecret: expect.stringContaining('seti_') })
    expect(await ownerNow(payer)).not.toBe(former)
  })

  test('is told so when it pays with a stored card, moves no money, and can then store another', async () => {
    const payer = await addPayingCustomer(fixture)
    const [card, former] = [await payer.storeCard(), await ownerNow(payer)]
    const { newToken } = await moved(payer)
    const invoice = await payer.invoice()
    const answer = await payer.pay(await payer.intent(invoice), { cardId: card })
    expect([answer.statusCode, answer.json().userMessage]).toEqual([400, expect.stringContaining('Please try another payment method')])
    expect(await ownerNow(payer)).not.toBe(former)
    expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true, amountDue: 110 })
    expect(await cardsOf(payer)).toEqual([])
    const stored = await payer.me.post('/v1/ec/payments/cards', { token: await newToken() })
    expect((await payer.pay(await payer.intent(invoice), { cardId: stored.json().id })).json()).toMatchObject({ status: 'succeeded' })
  })

  test('because somebody has deleted it there is made known anew as well', async () => {
    const payer = await addPayingCustomer(fixture)
    await payer.storeCard()
    const former = await ownerNow(payer)
    await fetch(`${fixture.sandbox.url}/stripe/v1/customers/${former}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${payer.keys.secret}` },
    })
    await payer.storeCard()
    expect(await ownerNow(payer)).not.toBe(former)
    expect(await cardsOf(payer)).toHaveLength(1)
  })

  test('a card alone that is gone there is no reason to forget its owner', async () => {
    const payer = await addPayingCustomer(fixture)
    const [card, former] = [await payer.storeCard(), await ownerNow(payer)]
    const [row] = await queryAsAdministrator<{ token: string }>(fixture.context, 'select token from payment_method where id = $1', [card])
    await fixture.sandbox.stripe(`/v1/payment_methods/${row?.token}/detach`, {}, payer.keys.secret)
    const invoice = await payer.invoice()
    expect((await payer.pay(await payer.intent(invoice), { cardId: card })).statusCode).toBe(400)
    expect(await ownerNow(payer)).toBe(former)
  })
})
