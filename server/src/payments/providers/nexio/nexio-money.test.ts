import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargeNew, chargeStored, requirePrepared, testPermit } from '../../../../test/payments/charge-directly.ts'
import { addMs } from '../../../kit/clock.ts'
import { createHttpClient, NoResponseError } from '../../../kit/outgoing-http.ts'
import { NEXIO_CARDS, NEXIO_PAYER, sealedAccount, sealedCard, settleAtNexio } from '../../../../test/payments/encrypted-entries.ts'
import { type TestSandbox, testSandbox } from '../../../../test/payments/sandbox.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import { createProviderCache } from '../../accounts/provider-cache.ts'
import type { KnownMethod, NewMethod } from '../method.ts'
import type { ChargeOrder } from '../order.ts'
import { nexio } from './nexio.ts'

let sandbox: TestSandbox
let requests: { method: string; path: string; body: Record<string, Record<string, unknown>> }[] = []

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const context = (username = 'money', now = new Date()) => {
  const { send } = createHttpClient({ timeoutMs: 1_500, scrub: (text) => text, record: () => undefined })
  return {
    settings: { username, password: 'secret word', webhookSecrets: [] },
    baseUrl: `${sandbox.url}/nexio`,
    http: {
      send: (request: Parameters<typeof send>[0]) => {
        const path = request.url.slice(`${sandbox.url}/nexio`.length)
        requests.push({
          method: request.method,
          path,
          body: request.body === undefined ? {} : (JSON.parse(request.body) as Record<string, never>),
        })
        return send(request)
      },
    },
    now,
    cache: createProviderCache(() => now),
  }
}

const newOrder = (more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  merchantReference: randomUUID(),
  amount: { minor: 11_000n, currency: 'USD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1', 'INV-2'],
  legalName: 'Mesa Networks',
  customerId: 7,
  entryReference: null,
  providerCustomerId: null,
  returnUrl: 'http://localhost:3000/return',
  client: null,
  ...more,
})

const OPTIONS = {
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  returnUrl: 'http://localhost:3000/payment-types',
  id: '1',
  customerId: 7,
}

const store = async (input: NewMethod, username?: string): Promise<KnownMethod> => {
  const stored = await nexio.storing.store(context(username), '', input, OPTIONS)
  if (stored.state !== 'succeeded') throw new Error(JSON.stringify(stored))
  const { token, kind, details } = stored.method
  return { token, kind, providerCustomerId: null, details }
}
const storeCard = async (number = NEXIO_CARDS.good, username?: string) =>
  store({ typedMethod: await sealedCard(sandbox, number), type: 'card', ...NEXIO_PAYER }, username)

const pay = async (more: Partial<ChargeOrder> = {}, method?: KnownMethod) => {
  const order = newOrder(more)
  const result = await chargeStored(nexio, context(), order, method ?? (await storeCard()))
  const providerRef = 'providerRef' in result ? result.providerRef : ''
  const known = (refunded = 0n) => ({ ...identifiedOrder(order, providerRef, context().now), refunded })
  return { order, result, providerRef, known }
}
const bookedOf = async (merchantReference: string) =>
  (await sandbox.ledger()).filter(({ reference }) => reference === merchantReference).map(({ status, amount }) => [status, amount])
const ledgerId = async (merchantReference: string): Promise<string> =>
  (await sandbox.ledger()).find(({ reference }) => reference === merchantReference)?.id ?? ''
const settle = async (merchantReference: string, outcome: 'succeeded' | 'failed' | 'returned') =>
  expect(await settleAtNexio(sandbox, await ledgerId(merchantReference), outcome)).toBe(200)
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
    expect(await nexio.storing.store(context(), '', { typedMethod: { kind: 'token', token }, type: 'card' }, OPTIONS)).toMatchObject({
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

  test('the gateway’s timeout (408) is unknown, and a look-up finds the money', async () => {
    const { order, result } = await pay({ amount: { minor: 11_008n, currency: 'USD' } })
    expect(result).toMatchObject({ state: 'unknown' })
    expect(await nexio.lookUp(context(), sentOrder(order))).toMatchObject({ state: 'succeeded', amount: order.amount })
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
  const begin = async (more: Partial<ChargeOrder> = {}) => {
    const begun = await pay(more, await storeCard(NEXIO_CARDS.authenticating))
    return { ...begun, redirectUrl: begun.result.state === 'requires_action' ? begun.result.redirectUrl : '' }
  }
  const confirmAtBank = (url: string) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'outcome=complete',
    })

  test('is known under our reference until the payer has confirmed, and is paid only then', async () => {
    const { order, result, redirectUrl } = await begin()
    expect(result).toMatchObject({ state: 'requires_action', providerRef: order.merchantReference })
    const sent = sentOrder(order, order.merchantReference, new Date())
    expect(await nexio.lookUp(context(), sent)).toMatchObject({ state: 'absent' })
    await confirmAtBank(redirectUrl)
    expect(await nexio.lookUp(context(), sent)).toMatchObject({
      state: 'succeeded',
      providerRef: expect.stringMatching(/^ey/),
      amount: order.amount,
    })
  })

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
  const debit = async (more: Partial<ChargeOrder> = {}) => pay({ methodType: 'eCheck', ...more }, await store(await sealedAccount(sandbox)))

  test('wait for their bank until they are settled', async () => {
    const { order, result, providerRef } = await debit()
    expect(result).toEqual({ state: 'processing', providerRef })
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ state: 'processing' })
    await settle(order.merchantReference, 'succeeded')
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ state: 'succeeded', amount: order.amount })
  })

  test('are declined when their bank refuses them', async () => {
    const { order, providerRef } = await debit()
    await settle(order.merchantReference, 'failed')
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ state: 'declined' })
  })

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

describe('[PM-81] nexio: refunds', () => {
  const refund = (order: ReturnType<Awaited<ReturnType<typeof pay>>['known']>, minor: bigint) =>
    nexio.refunds?.refund(context(), order, { minor, currency: 'USD' }, randomUUID())

  test('the whole payment is voided while it has not settled; a part has to wait', async () => {
    const { order, known } = await pay()
    expect(await refund(known(), 1_000n)).toMatchObject({ state: 'declined', userMessage: expect.stringContaining('settled') })
    expect(await bookedOf(order.merchantReference)).toEqual([['succeeded', 11_000]])
    expect(await refund(known(), 11_000n)).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    expect(await bookedOf(order.merchantReference)).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
  })

  test('parts are refunded after it has settled, and a look-up sums them', async () => {
    const { order, known, providerRef } = await pay()
    await settle(order.merchantReference, 'succeeded')
    expect(await refund(known(), 1_000n)).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect(await refund(known(1_000n), 2_000n)).toMatchObject({ state: 'succeeded', refunded: 3_000n })
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ refunded: 3_000n, amount: order.amount })
    expect(await nexio.lookUp(context(), sentOrder(order))).toMatchObject({ refunded: 3_000n })
  })

  test('one whose answer was lost is found by the look-up, and is not made again', async () => {
    const { order, known } = await pay()
    await settle(order.merchantReference, 'succeeded')
    await sandbox.fault({ provider: 'nexio', operation: 'refund', kind: 'drop', booked: true })
    await sandbox.fault({ provider: 'nexio', operation: 'list', kind: 'error', booked: false, times: 1 })
    await refund(known(), 1_000n)
    expect(await refund(known(), 1_000n)).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect((await bookedOf(order.merchantReference)).filter(([status]) => status === 'refunded')).toEqual([['refunded', 1_000]])
  })

  test('a void whose answer was lost is told by the next look-up', async () => {
    const { known } = await pay()
    await sandbox.fault({ provider: 'nexio', operation: 'void', kind: 'drop', booked: true })
    expect(await refund(known(), 11_000n)).toMatchObject({ state: 'succeeded', refunded: 11_000n })
  })

  test('one that the bank refuses returns nothing', async () => {
    const { order, known, providerRef } = await pay()
    await settle(order.merchantReference, 'succeeded')
    await sandbox.fault({ provider: 'nexio', operation: 'refund', kind: 'decline', booked: false })
    expect(await refund(known(), 1_000n)).toMatchObject({ state: 'declined' })
    expect(await nexio.lookUp(context(), sentOrder(order, providerRef))).toMatchObject({ refunded: 0n })
  })

  test('a list that does not show a refund that we know of leaves what is recorded', async () => {
    const { order, providerRef } = await pay()
    const known = { ...sentOrder(order, providerRef), refunded: 1_000n }
    expect(await nexio.lookUp(context(), known)).toMatchObject({ state: 'succeeded', refunded: null })
  })
})

describe('[PM-81] nexio: looking up', () => {
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

  test('[PM-07] nexio: a bank account shows the digits that Nexio tells, whatever the browser said', async () => {
    const account = await sealedAccount(sandbox, '987654321')
    const lying =
      account.typedMethod.kind === 'sealed'
        ? { ...account, typedMethod: { ...account.typedMethod, sealed: { ...account.typedMethod.sealed, last4: '0000' } } }
        : account
    const { kind, details } = await store(lying)
    expect([kind, details]).toMatchObject([
      'bank',
      { last4: '4321', bankCode: '231375151', name: 'Ada Holder', email: 'ada@payer.example' },
    ])
  })

  test('[PM-06] nexio: a card’s expiry, holder and payer can be changed, its number cannot', async () => {
    const method = await storeCard()
    const changes = { expMonth: 3, expYear: 2033, name: 'Ada Lovelace', payerFirstName: 'Anne', shippingAddress: '3 Dock Lane' }
    const updated = await nexio.storing.update?.(context(), method, changes)
    expect(updated).toMatchObject({
      state: 'succeeded',
      method: { token: method.token, details: { ...changes, last4: '1111', payerLastName: 'Payersen' } },
    })
    const bank = await store(await sealedAccount(sandbox))
    await expect(nexio.storing.update?.(context(), bank, changes)).rejects.toThrow('cards alone')
  })

  test('a wrong security code is told as such; a lost answer leaves open whether it was stored', async () => {
    const input = { typedMethod: await sealedCard(sandbox, NEXIO_CARDS.good, { code: '999' }), type: 'card', ...NEXIO_PAYER }
    expect(await nexio.storing.store(context(), '', input, OPTIONS)).toMatchObject({ state: 'declined', reason: 'incorrect_cvc' })
    await sandbox.fault({ provider: 'nexio', operation: 'store', kind: 'drop', booked: true })
    expect(await nexio.storing.store(context(), '', input, OPTIONS)).toMatchObject({ state: 'unknown' })
  })

  test('Nexio’s own page is started with a token that a card can be stored with once', async () => {
    const { fields, entryReference } = (await nexio.entry.createCardForm?.(context(), 'store')) ?? { fields: {}, entryReference: '' }
    expect(entryReference).toBeNull()
    expect(fields['frameUrl']).toBe(`${sandbox.url}/nexio/pay/v3/saveCard?token=${fields['token']}`)
    expect((await fetch(fields['frameUrl'] ?? '')).status).toBe(200)
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
    const wrong = { ...context(), settings: { ...context().settings, password: 'invalid' } }
    await expect(nexio.account.check?.(wrong)).rejects.toThrow('refuses the user name')
  })
})
