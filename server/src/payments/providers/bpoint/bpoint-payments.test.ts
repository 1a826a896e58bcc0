import { expect, test } from 'vitest'
import {
  attachAtBpoint,
  BPOINT,
  BPOINT_SETTINGS,
  bpointBank,
  bpointCard,
  requestBpointKey,
  storeAtBpoint,
} from '../../../../test/payments/providers/bpoint.driver.ts'
import { type ProviderPayer, useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'
import { findAccount } from '../../accounts/accounts.ts'

const { fixture, connect } = await useProviderPayers()
const { sandbox } = fixture
const CARDS = '/v1/ec/bpoint/cards'

const owner = await connect(BPOINT, { settings: { testMode: true } })
const { payer, fault, store, list, invoice, enter, payByLink, payStored, attemptOf, bookedFor, workAfter, refund } = owner
const merchantNumber = String(5_353_109_000_000_000 + payer.resellerId)

/** Another customer at the same merchant, where a key by itself is good. */
const connectColleague = (): Promise<ProviderPayer> => connect(BPOINT, { settings: { testMode: true, merchantNumber } })

/** How many methods BPOINT has of that customer in the merchant's account. */
const countTokens = async (crn1: number): Promise<number> => {
  const { username, password } = BPOINT_SETTINGS
  const answer = await fetch(`${sandbox.url}/bpoint/rest/v5/tokens/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${username}|${merchantNumber}:${password}`)}` },
    body: JSON.stringify({ crn1: String(crn1) }),
  })
  return ((await answer.json()) as { resultCount: number }).resultCount
}

/** Opens a key by the payment link, and attaches a method to it as the page does. */
const attachByLink = async (id: number, method: object): Promise<string> => {
  const { authKey = '' } = await (await owner.linkPage(id)).startFields()
  expect(await attachAtBpoint(sandbox, 'txns', authKey, method)).toBe(200)
  return authKey
}

test('[PM-09] [PM-100] type 10: a key may come in a list of one; it stores one method, once', async () => {
  const before = (await list()).length
  const key = await requestBpointKey(payer)
  await attachAtBpoint(sandbox, 'tokens', key, bpointCard())
  expect((await payer.me.post(CARDS, { authKeys: [key, key] })).statusCode).toBe(400)
  expect((await payer.me.post(CARDS, { authKeys: [key] })).json()).toMatchObject({ status: 'succeeded' })
  expect((await payer.me.post(CARDS, { authKeys: key })).json()).toMatchObject({
    code: 'provider_refused',
    userMessage: 'The payment method could not be read. Please enter it again.',
  })
  for (const authKeys of ['../../search', 'unknown-key', await requestBpointKey(payer)])
    expect((await payer.me.post(CARDS, { authKeys })).statusCode).toBe(400)
  expect(await list()).toHaveLength(before + 1)
})

test('[PM-100] [PAY-01] type 10: what was attached to the key of another customer is not stored, here or at BPOINT', async () => {
  const other = await connectColleague()
  const key = await requestBpointKey(other.payer)
  await attachAtBpoint(sandbox, 'tokens', key, bpointCard())
  const before = await list()
  expect((await payer.me.post(CARDS, { authKeys: key })).json()).toMatchObject({ code: 'provider_refused' })
  expect([await list(), await other.list(), await countTokens(other.payer.customerId)]).toEqual([before, [], 0])
})

test('[PM-100] type 10: tokenize opens a key that changes a method; whose it is, the browser cannot say', async () => {
  const [id, tokens] = [await store(), await countTokens(payer.customerId)]
  const tokenize = async (body: object, of = payer) => of.me.post(`${CARDS}/tokenize`, body)
  const { authKey } = (await tokenize({ token: id, crn1: '999', emailAddress: 'ada@payer.example' })).json<{ authKey: string }>()
  await attachAtBpoint(sandbox, 'tokens', authKey, bpointCard({ number: '5123456789012346' }))
  expect((await payer.me.post(CARDS, { authKeys: authKey })).json()).toMatchObject({ status: 'succeeded', id })
  expect((await list()).find((row) => row.id === id)).toMatchObject({ bPointCard: { scheme: 'MC', emailAddress: 'ada@payer.example' } })
  expect([await countTokens(999), await countTokens(payer.customerId)]).toEqual([0, tokens])
  expect((await tokenize({ token: id, emailAddress: 'ada' })).statusCode).toBe(400)
  expect((await tokenize({ token: id }, (await connectColleague()).payer)).statusCode).toBe(404)
})

test('[PM-100] [PAY-01] type 10: the key of another customer’s change harms nobody: that method stays', async () => {
  const [other, id, toPay] = [await connectColleague(), await store(), await invoice()]
  const { authKey } = (await payer.me.post(`${CARDS}/tokenize`, { token: id })).json<{ authKey: string }>()
  expect((await other.payer.me.post(CARDS, { authKeys: authKey })).statusCode).toBe(400)
  expect((await payStored(id, toPay)).json()).toMatchObject({ status: 'succeeded' })
})

test('[PM-101] type 10: without direct debit a bank account is refused, and is not kept at BPOINT', async () => {
  const { payer: cardsOnly, list: listOf } = await connect(BPOINT, { settings: { merchantNumber }, options: { debit: 'none' } })
  const refused = await storeAtBpoint(cardsOnly, sandbox, bpointBank())
  expect(refused.json()).toMatchObject({ userMessage: 'This kind of bank account is not taken here.' })
  expect([await listOf(), await countTokens(cardsOnly.customerId)]).toEqual([[], 0])
})

test('[PM-06] type 10: the first detail message is shown, and keys that cannot be opened are told', async () => {
  await fault('store', 'decline', false)
  expect((await storeAtBpoint(payer, sandbox)).json()).toMatchObject({ userMessage: 'This card is not accepted' })
  for (const operation of ['start', 'details']) {
    await fault(operation, 'error', false)
    expect((await payer.me.get('/v1/ec/bpoint/authkeys')).statusCode).toBe(503)
  }
})

test('[SP-03] [PAY-01] type 10: nothing is paid by a card number, by a key that is not of this invoice, or by one with anything but a card', async () => {
  const [id, other, stored] = [await invoice(), await invoice(), await store()]
  const number = { cardNumber: '4987654321098769', expirationDate: '2060-12', cardCode: '123' }
  expect((await payByLink(id, number)).statusCode).toBe(400)
  for (const cardToken of [await attachByLink(other, bpointCard()), await requestBpointKey(payer), 'unknown-key'])
    expect((await payByLink(id, { cardToken })).json()).toMatchObject({ userMessage: expect.stringContaining('enter it again') })
  const [row] = await queryAsAdministrator<{ token: string }>(fixture.context, 'select token from payment_method where id = $1', [stored])
  const { authKey: cardToken } = await (await owner.linkPage(id)).startFields()
  expect((await payByLink(id, { cardToken })).statusCode, 'nothing attached').toBe(400)
  for (const method of [{ token: row?.token }, bpointBank()])
    expect((await payByLink(id, { cardToken: await attachByLink(id, method) })).statusCode).toBe(400)
  expect(await bookedFor(id)).toEqual([])
  expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
})

test('[PAY-01] type 10: one key pays once, also after a decline', async () => {
  const id = await invoice()
  const entered = await enter(id, { code: '987' })
  expect((await payByLink(id, entered)).json()).toMatchObject({ userMessage: expect.stringContaining('security code') })
  expect((await payByLink(id, entered)).json()).toMatchObject({ userMessage: expect.stringContaining('enter it again') })
  expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'succeeded' })
  expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
})

test('[BP-03] [API-01] [SP-04] type 10: a stored card is named by cardToken, by cardId or by both; its declines are told, too', async () => {
  const card = await store()
  for (const body of [{ cardToken: card }, { cardId: card }, { cardId: card, cardToken: card }])
    expect((await payer.pay(await payer.intent(await invoice()), { ...body, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
  const intent = await payer.intent(await invoice())
  expect((await payer.pay(intent, { cardId: card, cardToken: 'another', type: 'card' })).statusCode).toBe(400)
  expect((await payer.pay(intent, { cardToken: '9999000011112222', type: 'card' })).statusCode).toBe(404)
  const declined = await payStored(card, await invoice(11_051))
  expect(declined.json()).toMatchObject({ userMessage: 'The account has not enough funds. Please use another payment method.' })
})

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
    expect((await payStored(card, id)).json()).toMatchObject({ code: 'payment_not_sent' })
    expect((await payStored(card, id)).json()).toMatchObject({ status: 'succeeded' })
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  },
)

test('[PAY-01] type 10: a flood of webhooks is one look-up a minute, and whatever else is sent there is refused or means nothing', async () => {
  const send = async (payload: string, provider = 'bpoint') => {
    const url = `/hooks/${provider}/${payer.resellerId}`
    return (await fixture.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })).statusCode
  }
  const about = (merchantReference: string, more: object = {}) =>
    JSON.stringify({ type: 'transaction', data: { merchantReference, responseCode: '0', ...more } })
  const countEvents = async () =>
    (await queryAsAdministrator<{ count: number }>(fixture.context, 'select count(*)::int as count from payment_webhook_event'))[0]?.count
  const [account, id] = [await store('bank'), await invoice()]
  await payStored(account, id, 'au_becs_debit')
  const { merchantReference } = await attemptOf(id)
  const before = (await countEvents()) ?? 0
  const flood = Array.from({ length: 60 }, (_, at) =>
    send(at % 2 === 0 ? about(merchantReference, { txnNumber: String(at) }) : about(`nobody ${at}`)),
  )
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  expect(await countEvents()).toBe(before + 1)
  expect([
    await send(about('\u0000')),
    await send(about('x'.repeat(101))),
    await send('['.repeat(200_000) + ']'.repeat(200_000)),
    await send(`{"type":"transaction","data":{"merchantReference":["${merchantReference}"]}}`),
    await send(''),
    await send(about('x'.repeat(2_000_000))),
    await send(about(merchantReference), 'bpoint%00'),
    await send(about(merchantReference), 'stripe'),
  ]).toEqual([400, 400, 400, 400, 400, 413, 404, 401])
  expect(await countEvents()).toBe(before + 1)
  await workAfter(1)
  expect(await attemptOf(id)).toMatchObject({ status: 'processing' })
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

test('[PAY-01] type 10: a refund that was not made and whose answer was lost is made when somebody says so', async () => {
  const id = await invoice()
  await payByLink(id, await enter(id))
  await fault('refund', 'drop', false)
  expect((await refund(id, { amount: '10.00' })).err.join()).toContain('Nobody knows whether')
  expect((await refund(id, { amount: '10.00' })).err.join()).toContain('--not-made')
  expect((await refund(id, { amount: '10.00', notMade: true })).json()).toMatchObject({ refunded: '10.00' })
  expect(await bookedFor(id)).toEqual([
    ['succeeded', 11_000],
    ['refunded', 1_000],
  ])
})
