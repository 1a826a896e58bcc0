import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { runPaymentsCommand, setDebitDays } from '../../../../test/payments/payment-commands.ts'
import { dayAfter, expectedDayOf } from '../../../../test/payments/expected-day.ts'
import {
  addPayingCustomer,
  expectBalanced,
  payByLink,
  paymentLinkOf,
  type PayingCustomer,
  runWorkerAfter,
} from '../../../../test/payments/payments-fixture.ts'
import { pinchAccountToken, pinchCardToken, pinchKey, pinchSettings, settleAtPinch } from '../../../../test/payments/pinch-context.ts'
import { usePaymentsFixture } from '../../../../test/payments/use-payments.ts'
import { type Answer, sendRequest } from '../../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
afterEach(async () => {
  fixture.advanceToNow()
  await expectBalanced(fixture)
})

const run = (command: string, args: string[], options: Record<string, string | boolean> = {}, files: Record<string, string> = {}) =>
  runPaymentsCommand(fixture.context, command, args, { json: true, ...options }, files)

const MINUTE_MS = 60_000
const WEBHOOK_SECRET = 'whsec_pinch_payments'
const applicationOf = ({ resellerId }: PayingCustomer): string => `app-${resellerId}`

const connect = async (more: Record<string, string> = {}): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 6, currency: 'AUD' })
  const application = applicationOf(payer)
  const options = {
    type: 'pinch',
    credentials: '-',
    address: `${fixture.sandbox.url}/pinch`,
    debit: '1',
    publishableKey: pinchKey(application),
  }
  const set = await run(
    'reseller payments set',
    [String(payer.resellerId)],
    { ...options, ...more },
    {
      '-': JSON.stringify(pinchSettings(application, WEBHOOK_SECRET)),
    },
  )
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'pinch', type: 6, rawCard: false, hasCredentials: true })
  return payer
}

const payer = await connect()
const [CARDS, ACCOUNTS, SETUP] = ['/v1/ec/payments/cards', '/v1/ec/payments/payment-methods', '/v1/ec/payments/setup-intent']
const CONTACT = { email: 'ada@payer.example', cardholder: 'Ada Payer' }

const fault = (operation: string, kind: string, booked = true, times = 1) =>
  fixture.sandbox.fault({ provider: 'pinch', operation, kind, booked, times })

const cardToken = (of = payer, more: object = {}) => pinchCardToken(fixture.sandbox, applicationOf(of), more)
const addCard = async (more: object = {}, of = payer): Promise<Answer> =>
  of.me.post(CARDS, { token: await cardToken(of), ...CONTACT, ...more })
const storeCard = async (of = payer, more: object = {}): Promise<string> => {
  const answer = await addCard({ token: await cardToken(of, more) }, of)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const storeAccount = async (of = payer): Promise<string> => {
  const answer = await of.me.post(SETUP, {
    paymentMethodId: await pinchAccountToken(fixture.sandbox, applicationOf(of)),
    paymentMethodType: 'au_becs_debit',
    accountHolderName: 'Ada Payer',
    email: 'ada@payer.example',
  })
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const list = async (path: string, of = payer): Promise<{ id: string; isDefault: boolean }[]> => (await of.me.get(path)).json()
const makeDefault = (id: string, of = payer) => of.me.put('/v1/ec/payments/customer-default-source', { id })

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer, number?: string): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({
    currency: 'AUD',
    net_minor: minor,
    amount_minor: minor,
    amount_due_minor: minor,
    ...(number === undefined ? {} : { number }),
  })
}
const payByToken = async (invoiceId: number, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  payByLink(fixture, invoiceId, await cardToken(), { cardHolder: 'Ada Payer', email: 'ada@payer.example', ...more }, headers)
const payStored = async (cardId: string, invoiceId: number, type = 'card'): Promise<Answer> =>
  payer.pay(await payer.intent(invoiceId), { cardId, type })

interface LastAttempt {
  readonly id: string
  readonly merchant_reference: string
  readonly provider_ref: string
  readonly status: string
  readonly method_shown: object
  readonly receipt_email: string | null
}
const lastAttempt = async (): Promise<LastAttempt> => {
  const [attempt] = await queryAsAdministrator<LastAttempt>(
    fixture.context,
    'select id, merchant_reference, provider_ref, status, method_shown, receipt_email from payment_attempt order by created_at desc limit 1',
    [],
  )
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}
const ledgerOf = async (merchantReference: string) =>
  (await fixture.sandbox.ledger()).filter(({ reference }) => reference === merchantReference)
const listBooked = async (): Promise<[string, number][]> =>
  (await ledgerOf((await lastAttempt()).merchant_reference)).map(({ status, amount }) => [status, amount])
const settle = async (outcome: 'succeeded' | 'failed' | 'returned'): Promise<void> => {
  const [entry] = await ledgerOf((await lastAttempt()).merchant_reference)
  expect(await settleAtPinch(fixture.sandbox, entry?.id ?? '', outcome)).toBe(200)
}
const sendWebhook = async (data: object, { secret = WEBHOOK_SECRET, id = String(crypto.randomUUID()) } = {}) => {
  const raw = JSON.stringify({ Id: `evt_${id}`, Type: 'bank-results', EventDate: '2026-11-21T00:00:00', Metadata: {}, Data: data })
  const t = Math.floor(fixture.context.clock().getTime() / 1_000)
  const v2 = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'pinch-signature': `t=${t},v2=${v2}` }
  return fixture.app.inject({ method: 'POST', url: `/hooks/pinch/${payer.resellerId}`, headers, payload: raw })
}

describe('stored methods', () => {
  test('[PM-60] [PM-04] [PM-09] [API-01] type 6: cards are stored by their token and listed as pinchCard; the first is the default', async () => {
    const own = await connect()
    expect(await list(CARDS, own)).toEqual([])
    const [first, second] = [await storeCard(own), await storeCard(own, { CardNumber: '5555555555554444', CardHolderName: 'Bo Payer' })]
    const [card, other] = await list(CARDS, own)
    expect(card).toEqual({
      id: first,
      isDefault: true,
      sourceType: 'CC',
      address: { line1: null, line2: null, city: null, postalCode: null, state: null, country: null },
      pinchCard: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2060, cardHolderName: 'Ada Payer' },
    })
    expect(other).toMatchObject({ id: second, isDefault: false, pinchCard: { brand: 'mastercard', cardHolderName: 'Bo Payer' } })
    expect((await makeDefault(second, own)).statusCode).toBe(204)
    expect((await list(CARDS, own)).map(({ isDefault }) => isDefault)).toEqual([false, true])
  })

  test('[PM-60] type 6: the default cannot be removed while there are others, and Pinch is not asked', async () => {
    const own = await connect()
    const [first, second] = [await storeCard(own), await storeCard(own)]
    await fault('remove', 'error', false)
    const refused = await own.me.remove(`${CARDS}/${first}`)
    const sentence = 'The default payment method cannot be removed while there are others. Please make another one the default first.'
    expect([refused.statusCode, refused.json()]).toEqual([400, expect.objectContaining({ userMessage: sentence })])
    // The fault is still there: it was not used up.
    expect((await own.me.remove(`${CARDS}/${second}`)).statusCode).toBe(503)
    expect(await list(CARDS, own)).toHaveLength(2)
    await makeDefault(second, own)
    expect((await own.me.remove(`${CARDS}/${first}`)).statusCode).toBe(204)
    expect(await list(CARDS, own)).toMatchObject([{ id: second, isDefault: true }])
    // The last card may go, and an account becomes the default.
    const account = await storeAccount(own)
    expect((await own.me.remove(`${CARDS}/${second}`)).statusCode).toBe(204)
    expect(await list(CARDS, own)).toEqual([])
    expect(await list(ACCOUNTS, own)).toMatchObject([{ id: account, isDefault: true }])
  })

  test('[PM-60] [PM-11] type 6: a bank account is stored by its token, listed with BSB and last digits, and removed', async () => {
    const own = await connect()
    const id = await storeAccount(own)
    expect(await list(ACCOUNTS, own)).toMatchObject([
      {
        id,
        isDefault: true,
        type: 'au_becs_debit',
        status: 'ready',
        aubecsDebit: { bsbNumber: '000001', last4: '7890' },
        billingDetails: { name: 'Ada Payer', email: 'ada@payer.example' },
      },
    ])
    expect((await own.me.remove(`${ACCOUNTS}/${id}/detach`)).statusCode).toBe(204)
    expect((await own.me.get(SETUP)).statusCode).toBe(404)
  })

  test.each([
    [{ cardholder: undefined }, 'body.cardholder'],
    [{ cardholder: '  ' }, 'body.cardholder'],
    [{ email: undefined }, 'body.email'],
    [{ email: 'ada' }, 'body.email'],
    [{ token: '4242424242424242' }, 'body'],
    [{ cardholder: '4242424242424242' }, 'body'],
  ])('[PM-60] [PM-08] type 6: a card needs its holder, an email address and a token: %j', async (change, path) => {
    const own = await connect()
    const refused = await addCard(change, own)
    expect([refused.statusCode, refused.json()]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ path })] })])
  })

  test('[PM-60] [PM-06] type 6: what Pinch refuses is told in words, without the token that its message holds', async () => {
    const own = await connect()
    const nameless = await addCard({ email: 'ada@payer.example', cardholder: '####' }, own)
    expect([nameless.statusCode, nameless.json().userMessage]).toEqual([400, 'Enter the name on the card and your email address.'])
    await storeCard(own)
    const refused = await addCard({ token: 'tkn_1' }, own)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { code: 'provider_refused', userMessage: 'This payment method cannot be used. Please check its details, or use another one.' },
    ])
    await fault('store', 'drop')
    expect((await addCard({}, own)).statusCode).toBe(503)
  })

  test('[PM-60] [PM-09] type 6: cards are no other customer’s, cannot be changed, and other families do not exist', async () => {
    const [id, other] = [await storeCard(), await connect()]
    expect(await list(CARDS, other)).toEqual([])
    for (const answer of [await other.me.remove(`${CARDS}/${id}`), await makeDefault(id, other)]) expect(answer.statusCode).toBe(404)
    expect((await payer.me.put(CARDS, { id, stripeCard: { name: 'Eve' } })).statusCode).toBe(404)
    expect((await payer.me.get('/v1/ec/moneris/cards')).statusCode).toBe(404)
  })

  test('[PM-60] type 6: a payer that is gone is created again by who stores the next card', async () => {
    const own = await connect()
    const card = await storeCard(own)
    const [known] = await queryAsAdministrator<{ id: string }>(
      fixture.context,
      'select provider_customer_id as id from payment_provider_customer where customer_id = $1',
      [own.customerId],
    )
    const { access_token: bearer } = (await (
      await fetch(`${fixture.sandbox.url}/pinch/connect/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${applicationOf(own)}:sk`)}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&scope=api1',
      })
    ).json()) as { access_token: string }
    await fetch(`${fixture.sandbox.url}/pinch/test/payers/${known?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bearer}` },
    })
    const paid = await own.pay(await own.intent(await invoice(11_000, own)), { cardId: card, type: 'card' })
    expect([paid.statusCode, paid.json()]).toMatchObject([400, { code: 'provider_refused' }])
    const next = await storeCard(own)
    expect(await list(CARDS, own)).toMatchObject([{ id: next, isDefault: true }])
  })

  test('[PM-60] type 6: the browser is told where it makes tokens', async () => {
    const tokenUrl = `${fixture.sandbox.url}/pinch/test/tokens`
    expect((await payer.me.post('/v1/ec/payments/card-fields', {})).json()).toEqual({ fields: { tokenUrl } })
    expect((await payer.me.get('/v1/ec/payments/details')).json()).toMatchObject({
      paymentType: 6,
      publishableKey: pinchKey(applicationOf(payer)),
      takesCardNumbers: false,
      scriptUrl: null,
    })
  })
})

describe('the currency of the account', () => {
  const REFUSED = 'Payments in NZD are not possible here.'
  const inNewZealand = (of: PayingCustomer, more: object = {}) => of.invoice({ currency: 'NZD', ...more })
  const countAttempts = async (of: PayingCustomer): Promise<number> =>
    (await queryAsAdministrator(fixture.context, 'select id from payment_attempt where customer_id = $1', [of.customerId])).length

  test('[PM-60] [PAY-01] another one is refused before anything is claimed, by link and from inside', async () => {
    const own = await connect()
    const card = await storeCard(own)
    const ada = { cardHolder: 'Ada Payer', email: CONTACT.email }
    const byLink = await payByLink(fixture, await inNewZealand(own), await cardToken(own), ada)
    const inside = await own.pay(await own.intent(await inNewZealand(own)), { cardId: card, type: 'card' })
    for (const refused of [byLink, inside])
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'currency_not_accepted', userMessage: REFUSED }])
    expect(await countAttempts(own)).toBe(0)
  })

  test('[PM-60] [PAY-01] autopay leaves what is in another one, dry or not, and says why', async () => {
    const own = await connect()
    await storeCard(own)
    await run('reseller payments set', [String(own.resellerId)], { askPermission: 'off' })
    await inNewZealand(own, { due_on: fixture.context.clock().toISOString().slice(0, 10) })
    for (const dryRun of [true, false, false]) {
      const said = await run('autopay run', [], { reseller: String(own.resellerId), dryRun })
      expect(said.json()).toMatchObject({ payments: [{ outcome: 'skipped', reason: REFUSED, attemptId: null }] })
    }
    expect(await countAttempts(own)).toBe(0)
    const intents = await queryAsAdministrator(fixture.context, 'select id from payment_intent where customer_id = $1', [own.customerId])
    expect(intents).toEqual([])
  })

  test('[PM-60] [PAY-01] an account that is paid in New Zealand dollars takes them alone', async () => {
    const own = await addPayingCustomer(fixture, { payment_type: 6, currency: 'NZD' })
    const application = `app-nzd-${own.resellerId}`
    const settings = { ...pinchSettings(application, WEBHOOK_SECRET), currency: 'NZD' }
    const options = { type: 'pinch', credentials: '-', address: `${fixture.sandbox.url}/pinch`, publishableKey: pinchKey(application) }
    await run('reseller payments set', [String(own.resellerId)], options, { '-': JSON.stringify(settings) })
    const payBy = async (id: number) =>
      payByLink(fixture, id, await pinchCardToken(fixture.sandbox, application), { cardHolder: 'Ada Payer', email: CONTACT.email })
    expect((await payBy(await inNewZealand(own))).json()).toMatchObject({ status: 'succeeded' })
    const refused = await payBy(await invoice(11_000, own))
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { userMessage: 'Payments in AUD are not possible here.' }])
    expect(await countAttempts(own)).toBe(1)
  })
})

describe('payments', () => {
  test('[PM-60] [SP-01] [SP-03] type 6: the public page gets what it needs, and pays by a token', async () => {
    const id = await invoice()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = JSON.parse((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).body)
    expect(details).toMatchObject({
      paymentType: 6,
      integrationType: null,
      publishableKey: pinchKey(applicationOf(payer)),
      requiredCardHolder: true,
      requiredEmail: true,
      takesCardNumbers: false,
      isFrame: false,
      apiStatus: true,
    })
    const started = await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${token}/card-fields` })
    expect(JSON.parse(started.body)).toEqual({ fields: { tokenUrl: `${fixture.sandbox.url}/pinch/test/tokens` } })
    expect((await payByToken(id)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    expect(await lastAttempt()).toMatchObject({
      provider_ref: expect.stringMatching(/^pmt_/),
      method_shown: { brand: 'visa', last4: '4242' },
    })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test.each([
    [{ email: undefined }, 'body.email'],
    [{ email: '' }, 'body.email'],
    [{ email: 'ada' }, 'body.email'],
    [{ cardHolder: ' ' }, 'body.cardHolder'],
    [{ cardToken: '' }, 'body.cardToken'],
    [{ cardToken: undefined, cardNumber: '4242424242424242', expirationDate: '2060-12', cardCode: '123' }, 'body.cardNumber'],
  ])('[PM-60] [SP-02] type 6: holder, email address and token are required to pay: %j', async (change, path) => {
    const refused = await payByToken(await invoice(), change)
    expect([refused.statusCode, refused.json()]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ path })] })])
  })

  test.each([
    ['off', null],
    ['on', 'ada@payer.example'],
  ])('[PM-60] [SP-04] type 6: with receipts %s the address that Pinch needs gets the receipt: %s', async (receipts, email) => {
    await run('reseller payments set', [String(payer.resellerId)], { receipts })
    expect((await payByToken(await invoice())).json()).toMatchObject({ status: 'succeeded' })
    expect(await lastAttempt()).toMatchObject({ receipt_email: email })
  })

  test('[PM-60] [BP-03] type 6: a stored card pays several invoices, whatever their numbers say', async () => {
    const own = await storeCard()
    const [one, two] = [await invoice(11_000, payer, 'INV #insufficient-funds'), await invoice(2_500)]
    expect((await payer.pay(await payer.intent(one, two), { cardId: own, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 13_500]])
  })

  test('[PM-60] [BP-02] [BP-03] [BP-05] type 6: a bank account is debited: in collection, settled, returned', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    expect((await payStored(account, id, 'eCheck')).statusCode).toBe(400)
    expect((await payStored(account, id, 'au_becs_debit')).json()).toMatchObject({ status: 'processing' })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7 })
    expect(await expectedDayOf(payer, id)).toBe(null)
    expect((await setDebitDays(fixture.context, payer.resellerId, 3)).json()).toMatchObject({ debitDays: 3, hasCredentials: true })
    expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 3))
    const { provider_ref: providerRef } = await lastAttempt()
    await settle('succeeded')
    expect((await sendWebhook({ Settlements: [{ Payment: { Id: providerRef } }] })).statusCode).toBe(200)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    await settle('returned')
    expect((await sendWebhook({ Dishonours: [{ Type: 'insufficient-funds', Payment: { Id: providerRef } }] })).statusCode).toBe(200)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PM-60] [BP-05] type 6: a debit that its bank refuses is declined, and the invoice can be paid again', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    await settle('failed')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'declined' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] type 6: a webhook is a hint alone: a forged one is refused, a false or repeated one changes nothing', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    const { provider_ref: Id, merchant_reference: Metadata } = await lastAttempt()
    const data = { Settlements: [{ Payment: { Id, Metadata, Status: 'settled' } }] }
    expect((await sendWebhook(data, { secret: 'whsec_somebody_else' })).statusCode).toBe(401)
    for (let round = 0; round < 2; round++) expect((await sendWebhook(data, { id: 'the-same' })).statusCode).toBe(200)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7 })
    expect((await sendWebhook({ Payer: { Id: 'pyr_1' } })).statusCode).toBe(200)
  })

  test.each([
    [11_005, 'The payment was declined. Please use another payment method, or ask your bank.'],
    [11_051, 'The account has not enough funds. Please use another payment method.'],
    [11_097, 'The payment could not be made. Please try again later.'],
  ])('[PM-60] [SP-04] [BP-04] type 6: %i cents are dishonoured, and the invoice can be paid again', async (minor, userMessage) => {
    const id = await invoice(minor)
    expect((await payByToken(id, { invoiceAmount: (minor / 100).toFixed(2) })).json()).toMatchObject({ userMessage })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await listBooked()).toEqual([])
  })

  test.each(['drop', 'error', 'garbage'])(
    '[PAY-01] type 6: a charge that is lost (%s) is found by its nonce, and made once',
    async (kind) => {
      const id = await invoice()
      await fault('charge', kind)
      const key = { 'idempotency-key': `press ${kind}` }
      expect((await payByToken(id, {}, key)).json()).toMatchObject({ status: 'processing' })
      expect((await payByToken(id, {}, key)).json()).not.toMatchObject({ status: 'declined' })
      await runWorkerAfter(fixture, 2 * MINUTE_MS)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect(await listBooked()).toEqual([['succeeded', 11_000]])
    },
  )

  test('[PAY-01] type 6: a lost debit stays on its way, and is not cancelled', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await fault('charge', 'drop')
    await payStored(account, id, 'au_becs_debit')
    for (const minutes of [2, 5, 15]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'processing', provider_ref: expect.stringMatching(/^pmt_/) })
    expect(await listBooked()).toEqual([['pending', 11_000]])
  })

  test('[PAY-01] type 6: a charge that is not found frees the invoice after a quarter of an hour, not before', async () => {
    const id = await invoice()
    await fault('charge', 'drop', false)
    await payByToken(id)
    for (const minutes of [2, 5]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'unknown' })
    for (const minutes of [10, 60]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'not_sent' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] type 6: fifty presses at once are one charge', async () => {
    const [card, id] = [await storeCard(), await invoice()]
    const intent = await payer.intent(id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payer.pay(intent, { cardId: card, type: 'card' }, { 'idempotency-key': 'one press' })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('operators', () => {
  test('[PAY-01] type 6: parts are refunded; a refund without an answer is made once', async () => {
    await payByToken(await invoice())
    const { id } = await lastAttempt()
    expect((await run('payments refund', [id], { yes: true, amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    await fault('refund', 'drop')
    expect((await run('payments refund', [id], { yes: true })).err.join()).toContain('Run the same command again')
    expect((await run('payments refund', [id], { yes: true })).json()).toMatchObject({ refunded: '97.50', attempt: { status: 'refunded' } })
    expect((await listBooked()).toSorted()).toEqual([
      ['refunded', 1_250],
      ['refunded', 9_750],
      ['succeeded', 11_000],
    ])
  })

  test('[PM-60] [PAY-01] type 6: a scheduled debit is cancelled, and its invoice can be paid again; nothing else is', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    const debit = await lastAttempt()
    expect((await run('payments cancel', [debit.id])).err.join()).toContain('say --yes')
    await fault('cancel', 'error', false)
    expect((await run('payments cancel', [debit.id], { yes: true })).err.join()).toContain('does not cancel it any more')
    expect(await lastAttempt()).toMatchObject({ status: 'processing' })
    expect((await run('payments cancel', [debit.id], { yes: true })).json()).toMatchObject({ attempt: { status: 'expired' } })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await listBooked()).toEqual([['failed', 11_000]])
    expect((await run('payments cancel', [debit.id], { yes: true })).err.join()).toContain('nothing to cancel')
    expect((await payByToken(id)).json()).toMatchObject({ status: 'succeeded' })
    expect((await run('payments cancel', [(await lastAttempt()).id], { yes: true })).err.join()).toContain('nothing to cancel')
  })

  test('[PM-60] [PAY-01] type 6: a debit that was settled meanwhile is not cancelled but paid', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    await settle('succeeded')
    expect((await run('payments cancel', [(await lastAttempt()).id], { yes: true })).err.join()).toContain('nothing to cancel')
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] type 6: the comparison with Pinch’s list finds nothing, and a returned debit whose webhook was lost', async () => {
    const own = await connect()
    const account = await storeAccount(own)
    const id = await invoice(11_000, own)
    await own.pay(await own.intent(id), { cardId: account, type: 'au_becs_debit' })
    await settle('succeeded')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    const compare = async () =>
      (await run('payments reconcile', [], { reseller: String(own.resellerId) })).json<{ reconciliations: object[] }>()
    const first = JSON.stringify(await compare())
    expect(first).toContain('pinch')
    expect(first).not.toContain('missing')
    await settle('returned')
    await compare()
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await own.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] type 6: autopay charges the default card of a customer who allows it, once', async () => {
    const consenting = await connect()
    await storeCard(consenting)
    await consenting.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
    await run('reseller payments set', [String(consenting.resellerId)], { askPermission: 'on' })
    fixture.context.advance(1_000)
    const id = await consenting.invoice({ due_on: fixture.context.clock().toISOString().slice(0, 10) })
    const autopay = async () =>
      (await run('autopay run', [], { reseller: String(consenting.resellerId) })).json<{ payments: object[] }>().payments
    expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
    expect(await autopay()).toEqual([])
    expect(await consenting.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[OPS-03] type 6: settings are checked, and an address without https is refused', async () => {
    const set = (settings: object, more: Record<string, string> = {}) =>
      run(
        'reseller payments set',
        [String(payer.resellerId)],
        { type: 'pinch', credentials: '-', address: `${fixture.sandbox.url}/pinch`, ...more },
        { '-': JSON.stringify(settings) },
      )
    const good = pinchSettings('app', WEBHOOK_SECRET)
    for (const wrong of [
      { ...good, mode: 'demo' },
      { ...good, secretKey: '' },
      { ...good, more: 1 },
      { ...good, currency: 'USD' },
    ])
      expect((await set(wrong)).err.join()).toContain('not usable')
    expect((await set(good, { address: 'http://api.getpinch.com.au' })).err.join()).toContain('https')
  })
})
