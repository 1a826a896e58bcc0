import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { chargeNew, chargeStored, requirePrepared, testPermit } from '../../../../test/payments/charge-directly.ts'
import { addMs } from '../../../kit/clock.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import { adapterContext, orderAt, STORE_OPTIONS, storeDirectly, useSandbox } from '../../../../test/payments/providers/adapter-bench.ts'
import { NEXIO_CARDS, NEXIO_PAYER, sealedAccount, sealedCard } from '../../../../test/payments/providers/nexio.driver.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import type { KnownMethod } from '../method.ts'
import type { ChargeOrder } from '../order.ts'
import { nexio } from './nexio.ts'

const sandbox = await useSandbox()
let requests: { method: string; path: string; body: Record<string, Record<string, unknown>> }[] = []

const context = (username = 'money', now = new Date()) => {
  const { http, ...rest } = adapterContext(nexio, sandbox, { username, password: 'secret word', webhookSecrets: [] }, { now })
  const send: typeof http.send = (request) => {
    const path = request.url.slice(rest.baseUrl.length)
    requests.push({
      method: request.method,
      path,
      body: request.body === undefined ? {} : (JSON.parse(request.body) as Record<string, never>),
    })
    return http.send(request)
  }
  return { ...rest, http: { send } }
}

const newOrder = (more: Partial<ChargeOrder> = {}): ChargeOrder => orderAt(nexio, 'USD', { client: null, ...more })

const storeCard = async (number = NEXIO_CARDS.good, username?: string) =>
  storeDirectly(nexio, context(username), { typedMethod: await sealedCard(sandbox, number), type: 'card', ...NEXIO_PAYER })
const storeAccount = async () => storeDirectly(nexio, context(), await sealedAccount(sandbox))

const pay = async (more: Partial<ChargeOrder> = {}, method?: KnownMethod) => {
  const order = newOrder(more)
  const result = await chargeStored(nexio, context(), order, method ?? (await storeCard()))
  const providerRef = 'providerRef' in result ? result.providerRef : ''
  const known = (refunded = 0n) => ({ ...identifiedOrder(order, providerRef, context().now), refunded })
  return { order, result, providerRef, known }
}
const { bookedOf } = sandbox
const settle = (merchantReference: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<void> =>
  sandbox.settlePayment('nexio', merchantReference, outcome)
const lastBody = (path: string) => requests.findLast((request) => request.path === path)?.body

describe('[PM-80] [PAY-01] nexio: charging', () => {
  test('a stored card is charged with the marks of a payer who is present, under our reference', async () => {
    const { order, result } = await pay()
    expect(result).toMatchObject({ state: 'succeeded', amount: order.amount })
    expect(lastBody('/pay/v3/process')).toMatchObject({
      isAuthOnly: false,
      data: {
        amount: 110,
        currency: 'USD',
        customer: { orderNumber: order.merchantReference, customerRef: '7', invoice: 'INV-1, INV-2', firstName: 'Augusta' },
      },
      processingOptions: { paymentType: 'unscheduledCit', check3ds: true, customerRedirectUrl: order.returnUrl },
    })
  })

  test('without a payer it is marked as the reseller’s, and no bank is asked to authenticate', async () => {
    const { result } = await pay({ returnUrl: null })
    expect(result).toMatchObject({ state: 'succeeded' })
    expect(lastBody('/pay/v3/process')?.['processingOptions']).toEqual({ paymentType: 'unscheduledMit', check3ds: false })
  })

  test('a new card passes through the vault and is gone from it afterwards; its code is sent to Nexio alone', async () => {
    const order = newOrder()
    const card = { typedMethod: await sealedCard(sandbox, NEXIO_CARDS.good), ...NEXIO_PAYER }
    requests = []
    const prepared = requirePrepared(await nexio.prepareNewCardCharge?.(context(), order, card))
    expect([prepared.providerRef, prepared.method]).toEqual([order.merchantReference, { brand: 'visa', last4: '1111' }])
    const result = await prepared.submit(testPermit())
    expect(result).toMatchObject({ state: 'succeeded', amount: order.amount })
    expect(requests.map(({ path }) => path)).toEqual(['/pay/v3/token', '/pay/v3/saveCard', '/pay/v3/process', '/pay/v3/deleteToken'])
    expect(lastBody('/pay/v3/process')).toMatchObject({
      card: { securityCode: '123', cardHolderName: 'Ada Holder' },
      processingOptions: { paymentType: 'initialUnscheduled', verifyCvc: true },
    })
    const token = String(lastBody('/pay/v3/process')?.['tokenex']?.['token'])
    expect(await nexio.storing.store(context(), '', { typedMethod: { kind: 'token', token }, type: 'card' }, STORE_OPTIONS)).toMatchObject({
      state: 'declined',
    })
  })

  test('a card that Nexio’s own page has stored is charged once and removed', async () => {
    const { token } = await storeCard()
    const order = newOrder()
    expect(await chargeNew(nexio, context(), order, { typedMethod: { kind: 'token', token }, holder: 'Ada Holder' })).toMatchObject({
      state: 'succeeded',
    })
    expect(lastBody('/pay/v3/deleteToken')).toEqual({ tokens: [token] })
    expect(await chargeNew(nexio, context(), newOrder(), { typedMethod: { kind: 'token', token } })).toMatchObject({
      state: 'declined',
      reason: 'method_gone',
    })
  })

  test('a new card that is not charged after all is gone from the vault', async () => {
    const card = { typedMethod: await sealedCard(sandbox, NEXIO_CARDS.good), ...NEXIO_PAYER }
    requests = []
    const prepared = requirePrepared(await nexio.prepareNewCardCharge?.(context(), newOrder(), card))
    expect(await prepared.submit(testPermit(true))).toMatchObject({ state: 'not_sent' })
    await prepared.discard?.()
    expect(requests.map(({ path }) => path)).toContain('/pay/v3/deleteToken')
  })

  test('what fails before the charge is not sent: no token, no place in the vault, a text that is no number', async () => {
    const card = { typedMethod: await sealedCard(sandbox, NEXIO_CARDS.good), ...NEXIO_PAYER }
    for (const operation of ['token', 'store']) {
      await sandbox.fault({ provider: 'nexio', operation, kind: 'error', booked: false })
      expect(await chargeNew(nexio, context(), newOrder(), card), operation).toMatchObject({ state: 'not_sent' })
    }
    const odd = { ...card, typedMethod: { ...card.typedMethod, sealed: { ...card.typedMethod.sealed, encryptedNumber: 'AAAA' } } }
    expect(await chargeNew(nexio, context(), newOrder(), odd)).toMatchObject({ state: 'declined' })
  })

  test('a charge whose request never left is not sent; one whose answer is lost is unknown, and is sent once', async () => {
    const method = await storeCard()
    for (const [mayHaveArrived, state] of [
      [false, 'not_sent'],
      [true, 'unknown'],
    ] as const) {
      let sent = 0
      const send = () => {
        sent += 1
        return Promise.reject(new NoResponseError('no answer', mayHaveArrived))
      }
      expect(await chargeStored(nexio, { ...context(), http: { send } }, newOrder(), method)).toMatchObject({ state })
      expect(sent).toBe(1)
    }
  })

  test.each([
    ['wrong-amount', false, { state: 'succeeded', amount: { minor: 11_100n } }, { state: 'declined' }],
    ['decline', false, { state: 'declined' }, { state: 'declined' }],
    ['script-action', false, { state: 'unknown' }, { state: 'absent' }],
    ['refuse', false, { state: 'unknown' }, { state: 'absent' }],
    ['twice', true, { state: 'succeeded' }, { state: 'succeeded', amount: { minor: 11_000n } }],
  ] as const)('%s (charged: %s) is never paid over what was ordered without a look-up', async (kind, booked, answered, found) => {
    const method = await storeCard()
    await sandbox.fault({ provider: 'nexio', operation: 'charge', kind, booked })
    const { order, result } = await pay({}, method)
    expect(result).toMatchObject(answered)
    expect(await nexio.lookUp(context(), sentOrder(order))).toMatchObject(found)
  })

  test('a payment in a currency without decimals is charged over exactly as much', async () => {
    const { order, result } = await pay({ amount: { minor: 1_101n, currency: 'JPY' } })
    expect(result).toMatchObject({ state: 'succeeded', amount: order.amount })
    expect(await bookedOf(order.merchantReference)).toEqual([['succeeded', 1_101]])
  })
})

describe('[PAY-01] nexio: a bank that asks the payer to confirm', () => {
  const begin = async (more: Partial<ChargeOrder> = {}) => pay(more, await storeCard(NEXIO_CARDS.authenticating))

  test('cannot be canceled: another payment waits until the bank’s page has expired', async () => {
    const { order } = await begin()
    const sentAt = new Date()
    const known = identifiedOrder(order, order.merchantReference, sentAt)
    const after = (minutes: number) => nexio.cancel?.(context('money', addMs(sentAt, minutes * 60_000)), { ...known, sentAt })
    expect(await after(0)).toMatchObject({ state: 'unknown' })
    expect(await after(61)).toMatchObject({ state: 'unknown' })
    expect(await after(75)).toMatchObject({ state: 'canceled' })
    expect(await nexio.cancel?.(context(), { ...known, sentAt: null })).toMatchObject({ state: 'unknown' })
  })

  test('nobody is sent there without a payer; nothing is booked', async () => {
    const { order, result } = await begin({ returnUrl: null })
    expect(result).toMatchObject({ state: 'unknown' })
    expect(await bookedOf(order.merchantReference)).toEqual([])
  })
})

describe('[BP-02] [BP-03] [BP-05] nexio: eChecks', () => {
  const debit = async (more: Partial<ChargeOrder> = {}) => pay({ methodType: 'eCheck', ...more }, await storeAccount())

  test('that are returned have their money taken back, and are listed as returned', async () => {
    const { order, providerRef } = await debit()
    await settle(order.merchantReference, 'succeeded')
    await settle(order.merchantReference, 'returned')
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ state: 'succeeded', reversed: 11_000n })
    const listReturned = async (from: Date, to: Date) => {
      const found: unknown[] = []
      for await (const payment of nexio.refunds?.listReturned?.(context(), from, to) ?? []) found.push(payment)
      return found
    }
    const now = new Date()
    expect(await listReturned(addMs(now, -60_000), addMs(now, 60_000))).toContainEqual({
      merchantReference: order.merchantReference,
      providerRef,
    })
    expect(await listReturned(addMs(now, -120_000), addMs(now, -60_000))).toEqual([])
  })

  test('are not given back while they wait: there is nothing yet', async () => {
    const { order, known } = await debit()
    expect(await nexio.refunds?.refund(context(), known(), order.amount, randomUUID())).toMatchObject({ state: 'processing' })
  })
})

describe('[PM-81] nexio: looking up', () => {
  test('a list that does not show a refund that we know of leaves what is recorded', async () => {
    const { order, providerRef } = await pay()
    const known = { ...sentOrder(order, providerRef), refunded: 1_000n }
    expect(await nexio.lookUp(context(), known)).toMatchObject({ state: 'succeeded', refunded: null })
  })

  test('a list that lags says nothing yet, while the payment’s own id finds it at once', async () => {
    const lagging = 'lagging'
    const order = newOrder()
    const result = await chargeStored(nexio, context(lagging), order, await storeCard(NEXIO_CARDS.good, lagging))
    expect(await nexio.lookUp(context(lagging), sentOrder(order))).toMatchObject({ state: 'absent' })
    const providerRef = result.state === 'succeeded' ? result.providerRef : ''
    expect(await nexio.lookUp(context(lagging), sentOrder(order, providerRef))).toMatchObject({ state: 'succeeded' })
    expect(nexio.notFoundMeansUnpaidAfterMs).toBeGreaterThanOrEqual(3_600_000)
  })

  test('another payment’s id, a list of other payments and an odd answer are unknown', async () => {
    const [one, other] = [await pay(), await pay()]
    expect(await nexio.lookUp(context(), sentOrder(one.order, other.providerRef))).toMatchObject({ state: 'unknown' })
    expect(await nexio.lookUp(context(), sentOrder(one.order, 'no-such-id'))).toMatchObject({ state: 'unknown' })
    const answer = (body: unknown) => ({
      ...context(),
      http: { send: async () => ({ status: 200, headers: {}, text: JSON.stringify(body) }) },
    })
    for (const body of [{}, { rows: 'none' }, { rows: [{}] }, null, 'text'])
      expect(await nexio.lookUp(answer(body), sentOrder(one.order))).toMatchObject({ state: 'unknown' })
    const row = {
      transactionDate: '2026-11-20',
      amount: 110,
      transactionStatus: 20,
      currencyId: '840',
      plugin: { originalId: 'x', orderNumber: 'else' },
    }
    expect(await nexio.lookUp(answer({ rows: [row] }), sentOrder(one.order))).toMatchObject({ state: 'unknown' })
    for (const body of [[], { data: [] }]) expect(await nexio.lookUp(answer(body), sentOrder(one.order))).toMatchObject({ state: 'absent' })
  })

  test('the list for reconciliation has every payment once, with its refunds', async () => {
    const username = 'reconciled'
    const method = await storeCard(NEXIO_CARDS.good, username)
    const orders = Array.from({ length: 12 }, () => newOrder())
    for (const order of orders) await chargeStored(nexio, context(username), order, method)
    const now = new Date()
    const listed: { merchantReference: string | null }[] = []
    for await (const payment of nexio.listPayments?.(context(username), addMs(now, -60_000), addMs(now, 60_000)) ?? []) listed.push(payment)
    expect(listed.map(({ merchantReference }) => merchantReference).toSorted()).toEqual(
      orders.map(({ merchantReference }) => merchantReference).toSorted(),
    )
  })
})

describe('[PM-02] [PM-03] nexio: stored methods', () => {
  test('[PM-04] nexio: a card is stored with what may be shown of it', async () => {
    const { details } = await storeCard()
    const { holder, ...payer } = NEXIO_PAYER
    expect(details).toEqual({ ...payer, name: holder, brand: 'visa', last4: '1111', expMonth: 12, expYear: 2031 })
    expect(lastBody('/pay/v3/saveCard')).toMatchObject({
      card: { expirationMonth: '12', expirationYear: '2031', cardHolderName: 'Ada Holder', cardType: 'visa' },
      data: {
        customer: { firstName: 'Augusta', lastName: 'Payersen', billToAddressOne: '1 Quay Street', shipToAddressOne: '2 Harbour Road' },
      },
    })
  })

  test('[PM-06] nexio: an account cannot be changed', async () => {
    await expect(nexio.storing.update?.(context(), await storeAccount(), { name: 'Ada Lovelace' })).rejects.toThrow('cards alone')
  })

  test('an account is checked: its user, and that its merchant is one of theirs', async () => {
    expect(await nexio.account.check?.(context())).toEqual({ account: 'money', canCharge: true, country: null })
    const withMerchant = (merchantId: string) => ({
      ...context('two-merchants'),
      settings: { ...context('two-merchants').settings, merchantId },
    })
    expect(await nexio.account.check?.(withMerchant('314467'))).toMatchObject({ canCharge: true })
    expect(await nexio.account.check?.(withMerchant('999999'))).toMatchObject({ canCharge: false })
    expect(await nexio.account.check?.(context('two-merchants'))).toMatchObject({ canCharge: false })
  })
})
