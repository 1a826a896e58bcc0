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
import { attachAtBpoint, bpointBank, bpointCard, settleAtBpoint, storeAtBpoint } from '../../../../test/payments/attached-entries.ts'
import { usePaymentsFixture } from '../../../../test/payments/use-payments.ts'
import { findAccount } from '../../accounts/accounts.ts'
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
const DAY_MS = 1_440 * MINUTE_MS

const connect = async (debit: '1' | 'none' = '1'): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 10, currency: 'AUD' })
  const options = { type: 'bpoint', credentials: '-', address: `${fixture.sandbox.url}/bpoint`, debit }
  const settings = {
    username: 'outback',
    password: 'correct horse',
    merchantNumber: String(5_353_109_000_000_000 + payer.resellerId),
    testMode: true,
  }
  const set = await run('reseller payments set', [String(payer.resellerId)], options, { '-': JSON.stringify(settings) })
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'bpoint', type: 10, hasCredentials: true })
  return payer
}

const payer = await connect()
const CARDS = '/v1/ec/bpoint/cards'

const fault = (operation: string, kind: string, booked = true, times = 1) =>
  fixture.sandbox.fault({ provider: 'bpoint', operation, kind, booked, times })

const requestAuthKey = async (of = payer): Promise<string> =>
  (await of.me.get('/v1/ec/bpoint/authkeys')).json<{ authKey: string }>().authKey
const store = async (method: object = bpointCard(), of = payer): Promise<string> => {
  const answer = await storeAtBpoint(of, fixture.sandbox, method)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const list = async (of = payer): Promise<{ id: string; isDefault: boolean; sourceType: string }[]> => (await of.me.get(CARDS)).json()
const removeAll = async (of = payer): Promise<void> => {
  for (const { id } of await list(of)) await of.me.remove(`${CARDS}/${id}`)
}

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({ currency: 'AUD', net_minor: minor, amount_minor: minor, amount_due_minor: minor })
}
/** Opens a key by the payment link, and attaches a card to it as the page does. */
const attachByLink = async (invoiceId: number, method: object = bpointCard()): Promise<string> => {
  fixture.context.advance(1_000)
  const { token } = await paymentLinkOf(fixture.context, invoiceId)
  const start = await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${token}/card-fields` })
  const { authKey } = (JSON.parse(start.body) as { fields: { authKey: string } }).fields
  expect(await attachAtBpoint(fixture.sandbox, 'txns', authKey, method)).toBe(200)
  return authKey
}
const payCard = async (invoiceId: number, method: object = bpointCard(), more: object = {}, headers: Record<string, string> = {}) =>
  payByLink(fixture, invoiceId, await attachByLink(invoiceId, method), more, headers)
const payStored = async (cardToken: string, invoiceId: number, type = 'card'): Promise<Answer> => {
  fixture.context.advance(1_000)
  return payer.pay(await payer.intent(invoiceId), { cardToken, type })
}

const lastAttempt = async (): Promise<{ id: string; merchant_reference: string; status: string }> => {
  const [attempt] = await queryAsAdministrator<{ id: string; merchant_reference: string; status: string }>(
    fixture.context,
    'select id, merchant_reference, status from payment_attempt order by created_at desc limit 1',
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
  expect(await settleAtBpoint(fixture.sandbox, entry?.id ?? '', outcome)).toBe(200)
}

describe('stored methods', () => {
  test('[PM-04] [PM-09] [PM-100] [PM-101] [API-01] type 10: cards and accounts stand in one list; the first method is the default', async () => {
    await removeAll()
    const [first, account, second] = [await store(), await store(bpointBank()), await store(bpointCard({ number: '5123456789012346' }))]
    expect(await list()).toEqual([
      {
        id: first,
        isDefault: true,
        sourceType: 'CC',
        type: 'card',
        accountHolderName: 'Ada Holder',
        bPointCard: {
          scheme: 'VC',
          number: '498765...769',
          expiryMonth: 12,
          expiryYear: 2060,
          name: 'Ada Holder',
          emailAddress: null,
        },
      },
      expect.objectContaining({ id: second, isDefault: false, bPointCard: expect.objectContaining({ scheme: 'MC' }) }),
      {
        id: account,
        isDefault: false,
        sourceType: 'ACH',
        type: 'au_becs_debit',
        accountHolderName: 'Ada Holder',
        bPointBankAccount: { bsb: '062000', account: '5678' },
      },
    ])
    expect((await payer.me.put('/v1/ec/bpoint/customer-default-source', { id: account })).statusCode).toBe(204)
    expect((await list()).find(({ isDefault }) => isDefault)?.id).toBe(account)
    expect((await payer.me.remove(`${CARDS}/${account}`)).statusCode).toBe(204)
    expect((await list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [first, true],
      [second, false],
    ])
    expect((await payer.me.remove(`${CARDS}/${account}`)).statusCode).toBe(404)
  })

  test('[PM-09] [PM-100] type 10: a key may come in a list of one; it stores one method, once', async () => {
    await removeAll()
    const key = await requestAuthKey()
    await attachAtBpoint(fixture.sandbox, 'tokens', key, bpointCard())
    expect((await payer.me.post(CARDS, { authKeys: [key, key] })).statusCode).toBe(400)
    expect((await payer.me.post(CARDS, { authKeys: [key] })).json()).toMatchObject({ status: 'succeeded' })
    expect((await payer.me.post(CARDS, { authKeys: key })).json()).toMatchObject({
      code: 'provider_refused',
      userMessage: 'The payment method could not be read. Please enter it again.',
    })
    for (const authKeys of ['../../search', 'unknown-key', await requestAuthKey()])
      expect((await payer.me.post(CARDS, { authKeys })).statusCode).toBe(400)
    expect(await list()).toHaveLength(1)
  })

  test('[PM-100] [PAY-01] type 10: what was attached to the key of another customer is not stored, here or at BPOINT', async () => {
    const other = await connect()
    // Both at one merchant: the key itself is good.
    await run('reseller payments set', [String(other.resellerId)], { credentials: '-' }, { '-': JSON.stringify(settingsOf(payer)) })
    const key = await requestAuthKey(other)
    await attachAtBpoint(fixture.sandbox, 'tokens', key, bpointCard())
    const before = await list()
    expect((await payer.me.post(CARDS, { authKeys: key })).json()).toMatchObject({ code: 'provider_refused' })
    expect([await list(), await list(other)]).toEqual([before, []])
    expect(await tokensOf(payer, other.customerId)).toBe(0)
  })

  test('[PM-100] type 10: tokenize opens a key that changes a method; whose it is, the browser cannot say', async () => {
    await removeAll()
    const id = await store()
    const tokenize = async (body: object) => payer.me.post(`${CARDS}/tokenize`, body)
    const { authKey } = (await tokenize({ token: id, crn1: '999', emailAddress: 'ada@payer.example' })).json<{ authKey: string }>()
    await attachAtBpoint(fixture.sandbox, 'tokens', authKey, bpointCard({ number: '5123456789012346' }))
    expect((await payer.me.post(CARDS, { authKeys: authKey })).json()).toMatchObject({ status: 'succeeded', id })
    expect(await list()).toMatchObject([{ id, isDefault: true, bPointCard: { scheme: 'MC', emailAddress: 'ada@payer.example' } }])
    expect([await tokensOf(payer, 999), await tokensOf(payer, payer.customerId)]).toEqual([0, 1])
    expect((await tokenize({ token: id, emailAddress: 'ada' })).statusCode).toBe(400)
    expect((await (await connect()).me.post(`${CARDS}/tokenize`, { token: id })).statusCode).toBe(404)
  })

  test('[PM-100] [PAY-01] type 10: the key of another customer’s change harms nobody: that method stays', async () => {
    const [other, id] = [await connect(), await store()]
    await run('reseller payments set', [String(other.resellerId)], { credentials: '-' }, { '-': JSON.stringify(settingsOf(payer)) })
    const { authKey } = (await payer.me.post(`${CARDS}/tokenize`, { token: id })).json<{ authKey: string }>()
    expect((await other.me.post(CARDS, { authKeys: authKey })).statusCode).toBe(400)
    expect((await payStored(id, await invoice())).json()).toMatchObject({ status: 'succeeded' })
  })

  test('[PM-101] type 10: without direct debit a bank account is refused, and is not kept at BPOINT', async () => {
    const cardsOnly = await connect('none')
    const refused = await storeAtBpoint(cardsOnly, fixture.sandbox, bpointBank())
    expect(refused.json()).toMatchObject({ userMessage: 'This kind of bank account is not taken here.' })
    expect([await list(cardsOnly), await tokensOf(cardsOnly, cardsOnly.customerId)]).toEqual([[], 0])
  })

  test('[PM-09] type 10: the paths of other providers do not exist, and these are no other customer’s', async () => {
    expect((await payer.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    const [id, other] = [await store(), await connect()]
    expect(await list(other)).toEqual([])
    for (const answer of [await other.me.remove(`${CARDS}/${id}`), await other.me.put('/v1/ec/bpoint/customer-default-source', { id })])
      expect(answer.statusCode).toBe(404)
  })

  test('[PM-06] type 10: the first detail message is shown; a lost answer leaves the card to be stored again', async () => {
    const before = (await list()).length
    await fault('store', 'decline', false)
    expect((await storeAtBpoint(payer, fixture.sandbox)).json()).toMatchObject({ userMessage: 'This card is not accepted' })
    for (const operation of ['start', 'details']) {
      await fault(operation, 'error', false)
      expect((await payer.me.get('/v1/ec/bpoint/authkeys')).statusCode).toBe(503)
    }
    await fault('store', 'drop')
    expect((await storeAtBpoint(payer, fixture.sandbox)).statusCode).toBe(503)
    expect(await list()).toHaveLength(before)
  })
})

describe('payments', () => {
  test('[SP-01] [SP-03] [API-01] type 10: the public page gets what it needs, and pays by the card that the browser attached to its key', async () => {
    const id = await invoice()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = JSON.parse((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).body)
    expect(details).toMatchObject({
      paymentType: 10,
      integrationType: null,
      scriptUrl: `${fixture.sandbox.url}/bpoint/rest/clientscripts/api.js`,
      isFrame: false,
      requiredCardHolder: true,
      takesCardNumbers: false,
      apiStatus: true,
    })
    expect((await payCard(id)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    const { payments } = (await payer.me.get(`/v1/ec/invoices/${id}/payments`)).json<{ payments: object[] }>()
    expect(payments).toMatchObject([{ method: 'Visa 498765...769' }])
  })

  test('[SP-03] [PAY-01] type 10: a card number is refused, and so is a key that was not opened for this invoice', async () => {
    const [id, other] = [await invoice(), await invoice()]
    const number = { cardToken: undefined, cardNumber: '4987654321098769', expirationDate: '2060-12', cardCode: '123' }
    expect((await payByLink(fixture, id, '', number)).statusCode).toBe(400)
    for (const key of [await attachByLink(other), await requestAuthKey(), 'unknown-key']) {
      expect((await payByLink(fixture, id, key)).json()).toMatchObject({ userMessage: expect.stringContaining('enter it again') })
      expect(await listBooked()).toEqual([])
    }
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] type 10: a stored method, a bank account or nothing attached to the key pays nothing by link', async () => {
    const id = await invoice()
    const stored = await store()
    const [row] = await queryAsAdministrator<{ token: string }>(fixture.context, 'select token from payment_method where id = $1', [stored])
    for (const method of [{ token: row?.token }, bpointBank()]) expect((await payCard(id, method)).statusCode).toBe(400)
    const { token } = await paymentLinkOf(fixture.context, id)
    const start = await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${token}/card-fields` })
    expect((await payByLink(fixture, id, JSON.parse(start.body).fields.authKey)).statusCode).toBe(400)
    expect(await listBooked()).toEqual([])
  })

  test('[PAY-01] type 10: one key pays once, also after a decline', async () => {
    const id = await invoice()
    const key = await attachByLink(id, bpointCard({ cvn: '987' }))
    expect((await payByLink(fixture, id, key)).json()).toMatchObject({ userMessage: expect.stringContaining('security code') })
    expect((await payByLink(fixture, id, key)).json()).toMatchObject({ userMessage: expect.stringContaining('enter it again') })
    expect((await payCard(id)).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[BP-02] [BP-03] [API-01] type 10: a stored card pays several invoices, named by cardToken, by cardId or by both', async () => {
    const [card, one, two] = [await store(), await invoice(), await invoice(2_500)]
    expect((await payer.pay(await payer.intent(one, two), { cardToken: card, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 13_500]])
    for (const body of [{ cardId: card }, { cardId: card, cardToken: card }])
      expect((await payer.pay(await payer.intent(await invoice()), { ...body, type: 'card' })).json()).toMatchObject({
        status: 'succeeded',
      })
    const intent = await payer.intent(await invoice())
    expect((await payer.pay(intent, { cardId: card, cardToken: 'another', type: 'card' })).statusCode).toBe(400)
    const foreign = await store(bpointCard(), await connect())
    expect((await payer.pay(intent, { cardToken: foreign, type: 'card' })).statusCode).toBe(404)
    expect((await payer.pay(intent, { cardToken: '9999000011112222', type: 'card' })).statusCode).toBe(404)
  })

  test('[BP-02] [BP-03] [BP-04] [PM-101] type 10: a stored account is in collection, settled, and open again when it is returned', async () => {
    const [account, id] = [await store(bpointBank()), await invoice()]
    expect((await payStored(account, id, 'card')).statusCode).toBe(400)
    expect((await payStored(account, id, 'au_becs_debit')).json()).toMatchObject({ status: 'processing' })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7 })
    expect(await expectedDayOf(payer, id)).toBe(null)
    expect((await setDebitDays(fixture.context, payer.resellerId, 3)).json()).toMatchObject({ debitDays: 3, hasCredentials: true })
    expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 3))
    await settle('succeeded')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    await settle('returned')
    await run('payments look-up', [(await lastAttempt()).id])
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[BP-04] [PM-101] type 10: a debit that its bank refuses is declined, and the invoice can be paid again', async () => {
    const [account, id] = [await store(bpointBank()), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    await settle('failed')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'declined' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test.each([
    [11_005, 'The payment was declined. Please use another payment method, or ask your bank.'],
    [11_051, 'The account has not enough funds. Please use another payment method.'],
    [11_054, 'The card has expired. Please use another card.'],
  ])('[SP-04] [BP-04] type 10: %i cents are declined, and the invoice can be paid again', async (minor, userMessage) => {
    const id = await invoice(minor)
    expect((await payCard(id, bpointCard(), { invoiceAmount: (minor / 100).toFixed(2) })).json()).toMatchObject({ userMessage })
    expect((await payStored(await store(), id)).json()).toMatchObject({ userMessage })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await listBooked()).toEqual([])
  })

  test.each(['drop', 'error', 'garbage'])(
    '[PAY-01] type 10: a charge that is lost (%s) is found by our reference, and never sent again',
    async (kind) => {
      const id = await invoice()
      await fault('charge', kind)
      const key = { 'idempotency-key': `press ${kind}` }
      expect((await payCard(id, bpointCard(), {}, key)).json()).toMatchObject({ status: 'processing' })
      expect((await payCard(id).catch(() => undefined))?.json()).not.toMatchObject({ status: 'succeeded', id: 'another' })
      await runWorkerAfter(fixture, 2 * MINUTE_MS)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect(await listBooked()).toEqual([['succeeded', 11_000]])
    },
  )

  test.each([
    ['start', 'error'],
    ['details', 'drop'],
    ['details', 'garbage'],
    ['attach', 'error'],
  ])(
    '[PAY-01] type 10: what fails before the key is processed (%s, %s) has charged nothing, and can be paid again at once',
    async (operation, kind) => {
      const [card, id] = [await store(), await invoice()]
      await fault(operation, kind, false)
      const answer = await payStored(card, id)
      expect(answer.json()).toMatchObject({ code: 'payment_not_sent' })
      expect((await payStored(card, id)).json()).toMatchObject({ status: 'succeeded' })
      expect(await listBooked()).toEqual([['succeeded', 11_000]])
    },
  )

  test('[PAY-01] type 10: fifty presses at once are one charge', async () => {
    const [card, id] = [await store(), await invoice()]
    const intent = await payer.intent(id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payer.pay(intent, { cardToken: card, type: 'card' }, { 'idempotency-key': 'one press' })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] type 10: a webhook is a hint: it lets its payment be looked up, and nothing that it says is believed', async () => {
    const send = async (data: object) => {
      const payload = JSON.stringify({ type: 'transaction', data })
      const url = `/hooks/bpoint/${payer.resellerId}`
      return (await fixture.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })).statusCode
    }
    const [account, id] = [await store(bpointBank()), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    const { merchant_reference: merchantReference } = await lastAttempt()
    expect(await send({ merchantReference, responseCode: '0', amount: 11_000, txnNumber: '1' })).toBe(200)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'processing' })
    await settle('succeeded')
    expect(await send({ merchantReference, responseCode: '1' })).toBe(200)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'succeeded' })
    expect([await send({ merchantReference: 'nobody’s' }), await send({})]).toEqual([200, 200])
  })

  test('[PAY-01] type 10: a flood of webhooks is one look-up a minute, and whatever else is sent there is refused or means nothing', async () => {
    const send = async (payload: string, provider = 'bpoint') => {
      const url = `/hooks/${provider}/${payer.resellerId}`
      return (await fixture.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })).statusCode
    }
    const about = (merchantReference: string, more: object = {}) =>
      JSON.stringify({ type: 'transaction', data: { merchantReference, responseCode: '0', ...more } })
    const countEvents = async () =>
      (await queryAsAdministrator<{ count: number }>(fixture.context, 'select count(*)::int as count from payment_webhook_event'))[0]?.count
    const [account, id] = [await store(bpointBank()), await invoice()]
    await payStored(account, id, 'au_becs_debit')
    const { merchant_reference } = await lastAttempt()
    const before = (await countEvents()) ?? 0
    const flood = Array.from({ length: 60 }, (_, at) =>
      send(at % 2 === 0 ? about(merchant_reference, { txnNumber: String(at) }) : about(`nobody ${at}`)),
    )
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
    expect(await countEvents()).toBe(before + 1)
    expect([
      await send(about('\u0000')),
      await send(about('x'.repeat(101))),
      await send('['.repeat(200_000) + ']'.repeat(200_000)),
      await send(`{"type":"transaction","data":{"merchantReference":["${merchant_reference}"]}}`),
      await send(''),
      await send(about('x'.repeat(2_000_000))),
      await send(about(merchant_reference), 'bpoint%00'),
      await send(about(merchant_reference), 'stripe'),
    ]).toEqual([400, 400, 400, 400, 400, 413, 404, 401])
    expect(await countEvents()).toBe(before + 1)
    await runWorkerAfter(fixture, MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'processing' })
  })
})

test.each([
  ['https://billing.example.com', true],
  ['https://billing.example.com:8443', false],
  ['http://billing.example.com', false],
  ['https://localhost', false],
  ['https://192.0.2.1', false],
])('type 10: with PUBLIC_URL %s webhooks can be asked for: %o', async (publicUrl, canBe) => {
  const deps = { ...fixture.payments, config: { ...fixture.payments.config, publicUrl } }
  const account = await findAccount(deps, payer.resellerId)
  expect(account?.context.webhookUrl).toBe(canBe ? `${publicUrl}/hooks/bpoint/${payer.resellerId}` : undefined)
})

describe('what an operator does', () => {
  test('[OPS-03] type 10: the account is tested', async () => {
    expect((await run('reseller payments test', [String(payer.resellerId)])).json()).toMatchObject({ provider: 'bpoint', canCharge: true })
    const wrong = await connect()
    const settings = { ...settingsOf(wrong), password: 'invalid password' }
    await run('reseller payments set', [String(wrong.resellerId)], { credentials: '-' }, { '-': JSON.stringify(settings) })
    expect((await run('reseller payments test', [String(wrong.resellerId)])).err.join()).toContain('refuses the user name')
  })

  test('[PAY-01] type 10: autopay charges the default card of a customer who allows it, once', async () => {
    const consenting = await connect()
    await store(bpointCard(), consenting)
    await consenting.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
    await run('reseller payments set', [String(consenting.resellerId)], { askPermission: 'on' })
    fixture.context.advance(1_000)
    const id = await consenting.invoice({ currency: 'AUD', due_on: fixture.context.clock().toISOString().slice(0, 10) })
    const autopay = async () =>
      (await run('autopay run', [], { reseller: String(consenting.resellerId) })).json<{ payments: object[] }>().payments
    expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
    expect(await autopay()).toEqual([])
    expect(await consenting.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] type 10: parts are refunded; look-ups in between take nothing back', async () => {
    const id = await invoice()
    await payCard(id)
    const { id: attempt } = await lastAttempt()
    expect((await run('payments refund', [attempt], { yes: true, amount: '10.00' })).json()).toMatchObject({ refunded: '10.00' })
    expect((await run('payments look-up', [attempt])).json()).toMatchObject({ attempt: { refunded: '10.00' } })
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({
      refunded: '100.00',
      attempt: { status: 'refunded' },
    })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 1_000],
      ['refunded', 10_000],
    ])
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test.each([true, false])('[PAY-01] type 10: a refund whose answer was lost (made: %s) is made once', async (booked) => {
    await payCard(await invoice())
    const { id: attempt } = await lastAttempt()
    await fault('refund', 'drop', booked)
    const refund = () => run('payments refund', [attempt], { yes: true, amount: '10.00' })
    const first = await refund()
    if (booked) expect(first.json(), first.err.join()).toMatchObject({ refunded: '10.00' })
    else {
      expect(first.err.join()).toContain('Nobody knows whether')
      expect((await refund()).err.join()).toContain('--not-made')
      expect((await run('payments refund', [attempt], { yes: true, amount: '10.00', notMade: true })).json()).toMatchObject({
        refunded: '10.00',
      })
    }
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 1_000],
    ])
  })

  test('[PAY-01] type 10: a refund that the bank declines moves nothing', async () => {
    await payCard(await invoice())
    const { id: attempt } = await lastAttempt()
    await fault('refund', 'decline', false)
    expect((await run('payments refund', [attempt], { yes: true })).err.join()).toContain('bpoint refused the refund (')
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] type 10: reconciliation finds everything in order, and a debit that was returned', async () => {
    const other = await connect()
    const account = await store(bpointBank(), other)
    const id = await invoice(11_000, other)
    await other.pay(await other.intent(id), { cardToken: account, type: 'au_becs_debit' })
    await settle('succeeded')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    const reconcile = async () => run('payments reconcile', [], { reseller: String(other.resellerId) })
    expect((await reconcile()).err.join()).toBe('')
    expect(await other.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    await settle('returned')
    await reconcile()
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await other.readInvoice(id)).toMatchObject({ canPay: true })
  })
})

// The last test, since the stand-in keeps real time.
test('[PAY-01] type 10: a charge that is not found frees the invoice after a day, not before', async () => {
  const id = await invoice()
  await fault('charge', 'drop', false)
  await payCard(id)
  for (const minutes of [2, 5, 15, 60, 600]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
  expect(await lastAttempt()).toMatchObject({ status: 'unknown' })
  await runWorkerAfter(fixture, DAY_MS)
  await runWorkerAfter(fixture, DAY_MS)
  expect(await lastAttempt()).toMatchObject({ status: 'not_sent' })
  expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
})

/** The settings of a customer's reseller. */
function settingsOf({ resellerId }: PayingCustomer) {
  const merchantNumber = String(5_353_109_000_000_000 + resellerId)
  return { username: 'outback', password: 'correct horse', merchantNumber, testMode: true }
}

/** How many methods BPOINT has of that customer in the merchant's account. */
async function tokensOf(of: PayingCustomer, crn1: number): Promise<number> {
  const { username, merchantNumber, password } = settingsOf(of)
  const answer = await fetch(`${fixture.sandbox.url}/bpoint/rest/v5/tokens/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${username}|${merchantNumber}:${password}`)}` },
    body: JSON.stringify({ crn1: String(crn1) }),
  })
  return ((await answer.json()) as { resultCount: number }).resultCount
}
