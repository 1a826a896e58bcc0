import { beforeEach, describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import { addMs } from '../../../kit/clock.ts'
import { SealedText } from '../../../kit/sealed-text.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import type { ChargeResult, ProviderPayment } from '../charge-result.ts'
import { addBankingDays } from '../debits.ts'
import type { ChargeOrder } from '../order.ts'
import { authorize } from './authorize.ts'
import type { AuthorizeContext } from './authorize-client.ts'
import { acceptToken, newCard, newOrder, startTestAuthorize } from '../../../../test/payments/providers/authorize.driver.ts'

const DAY_MS = 86_400_000
const at = await startTestAuthorize()

beforeEach(() => at.sandbox.reset())

const pay = async (change: Partial<ChargeOrder> = {}, context = at.context()): Promise<{ order: ChargeOrder; ref: string }> => {
  const order = newOrder(change)
  const result = await chargeNew(authorize, context, order, newCard())
  return { order, ref: refOf(result) }
}
const debit = async (): Promise<{ order: ChargeOrder; ref: string }> => {
  const method = await at.storeAccount()
  const order = newOrder({ methodType: 'eCheck' })
  const result = await chargeStored(authorize, at.context(), order, method)
  expect(result.state).toBe('processing')
  return { order, ref: refOf(result) }
}
const refOf = (result: ChargeResult | undefined): string => (result !== undefined && 'providerRef' in result ? result.providerRef : '')
const detailsOf = async (transId: string) => (await at.call('getTransactionDetailsRequest', { transId }))['transaction']
const listBetween = async (context: AuthorizeContext, from: Date, to: Date): Promise<ProviderPayment[]> => {
  const payments: ProviderPayment[] = []
  for await (const payment of authorize.listPayments?.(context, from, to) ?? []) payments.push(payment)
  return payments
}

describe('[PM-20] authorize: a charge', () => {
  test('carries our reference, the invoices and the payer, and nothing that the gateway would reject', async () => {
    const order = newOrder()
    const card = { ...newCard({ zip: '46201' }), email: 'ada@example.com', legalName: 'Nimbus Ltd' }
    const result = await chargeNew(authorize, at.context(), order, card)
    expect(result).toEqual({ state: 'succeeded', providerRef: expect.any(String), amount: order.amount, refunded: 0n, reversed: 0n })
    expect(await detailsOf(refOf(result))).toMatchObject({
      order: { invoiceNumber: order.merchantReference, description: 'INV-1, INV-2' },
      customer: { id: '7', email: 'ada@example.com' },
      billTo: { firstName: 'Ada', lastName: 'Payer', company: 'Nimbus Ltd', address: '1 Quay Street', zip: '46201', country: 'US' },
      customerIP: '192.0.2.1',
    })
  })

  test('of a stored card is marked as such, and as one without the payer when none is there', async () => {
    const sent: string[] = []
    const { http, ...context } = at.context()
    const recording = {
      ...context,
      http: { send: (request: { body?: string }) => (sent.push(request.body ?? ''), http.send(request as never)) },
    }
    const method = await at.storeCard()
    await chargeStored(authorize, recording, newOrder(), method)
    await chargeStored(authorize, recording, newOrder({ returnUrl: null, client: null }), {
      ...method,
      details: { networkRef: 'NT1' },
    })
    const requests = sent.flatMap((body) => JSON.parse(body).createTransactionRequest?.transactionRequest ?? [])
    expect(requests.map(({ processingOptions }) => processingOptions)).toEqual([{ isStoredCredentials: true }, { isSubsequentAuth: true }])
    expect(requests[1]).toMatchObject({ subsequentAuthInformation: { originalNetworkTransId: 'NT1' } })
    expect(requests[0]).not.toHaveProperty('billTo')
  })

  test('by an opaque pair of Accept.js is one charge; the pair is worth nothing a second time', async () => {
    const card = { typedMethod: { kind: 'token', token: await acceptToken(at.sandbox) } } as const
    expect(await chargeNew(authorize, at.context(), newOrder(), card)).toMatchObject({ state: 'succeeded' })
    expect(await chargeNew(authorize, at.context(), newOrder(), card)).toMatchObject({ state: 'declined', reason: 'enter_again' })
    expect(await at.sandbox.ledger()).toHaveLength(1)
  })

  test('that is sent a second time is rejected as a duplicate, which is no decline', async () => {
    const order = newOrder()
    const context = at.context()
    expect(await chargeNew(authorize, context, order, newCard())).toMatchObject({ state: 'succeeded' })
    expect(await chargeNew(authorize, context, order, newCard())).toMatchObject({ state: 'unknown' })
    expect(await at.sandbox.ledger()).toHaveLength(1)
  })

  test('of another currency, a number that is too long or an entry of another kind is not sent', async () => {
    const order = newOrder({ amount: { minor: 500n, currency: 'EUR' } })
    expect(await chargeNew(authorize, at.context(), order, newCard())).toMatchObject({ state: 'not_sent' })
    const long = newCard({ number: '6304000000000000000' })
    expect(await chargeNew(authorize, at.context(), newOrder(), long)).toMatchObject({ state: 'declined', reason: 'invalid_account' })
    for (const token of ['tok_1', '|', 'COMMON.ACCEPT|a b'])
      expect(await chargeNew(authorize, at.context(), newOrder(), { typedMethod: { kind: 'token', token } })).toMatchObject({
        state: 'declined',
        userMessage: 'The payment method could not be read. Please enter it again.',
      })
    expect(await at.sandbox.ledger()).toEqual([])
  })

  test('that is approved falsely is not believed against the books, and without books it is', async () => {
    await at.fault({ operation: 'charge', kind: 'wrong-amount' })
    expect(await chargeNew(authorize, at.context(), newOrder(), newCard())).toMatchObject({ state: 'unknown' })
    const blind = at.context({ loginId: 'nodetails' })
    expect(await chargeNew(authorize, blind, newOrder(), newCard())).toMatchObject({ state: 'succeeded' })
  })

  test('by a method of a customer whom nobody knows any more says so', async () => {
    const method = await at.storeCard()
    await at.call('deleteCustomerProfileRequest', { customerProfileId: method.providerCustomerId })
    const result = await chargeStored(authorize, at.context(), newOrder(), method)
    expect(result).toMatchObject({ state: 'declined', reason: 'method_gone', isCustomerGone: true })
  })

  test('with wrong credentials is a decline that blames nobody’s card', async () => {
    const context = at.context({ transactionKey: 'invalid' })
    expect(await chargeNew(authorize, context, newOrder(), newCard())).toMatchObject({ state: 'declined', reason: 'not_configured' })
  })
})

describe('[PAY-01] authorize: a look-up by our reference', () => {
  test('finds a payment in the list of what is not settled, and in its batch afterwards', async () => {
    const { order, ref } = await pay()
    const sent = sentOrder(order, null, new Date())
    expect(await authorize.lookUp(at.context(), sent)).toMatchObject({ state: 'succeeded', providerRef: ref })
    await at.settleBatch()
    expect(await authorize.lookUp(at.context(), sent)).toMatchObject({ state: 'succeeded', providerRef: ref, amount: order.amount })
  })

  test('tells a declined one, and finds nothing of one that was never sent', async () => {
    const order = newOrder()
    await chargeNew(authorize, at.context(), order, newCard({ zip: '46282' }))
    expect(await authorize.lookUp(at.context(), sentOrder(order, null, new Date()))).toMatchObject({
      state: 'declined',
      reason: 'card_declined',
    })
    expect(await authorize.lookUp(at.context(), sentOrder(newOrder(), null, new Date()))).toMatchObject({ state: 'absent' })
  })

  test('does not take a list that lags, or may not be read, for an outcome', async () => {
    const lagging = at.context({ loginId: 'lagging' })
    const { order } = await pay({}, lagging)
    expect(await authorize.lookUp(lagging, sentOrder(order, null, new Date()))).toMatchObject({ state: 'absent' })
    expect(authorize.notFoundMeansUnpaidAfterMs).toBeGreaterThanOrEqual(15 * 60_000)
    const blind = at.context({ loginId: 'nodetails' })
    expect(await authorize.lookUp(blind, sentOrder(newOrder(), null, new Date()))).toMatchObject({ state: 'unknown' })
  })

  test.each(['error', 'garbage', 'drop'])('says unknown when a list answers with %s', async (kind) => {
    const { order } = await pay()
    await at.fault({ operation: 'list', kind })
    expect(await authorize.lookUp(at.context(), sentOrder(order, null, new Date()))).toMatchObject({ state: 'unknown' })
  })

  test('does not take another card’s payment, or another payment’s id, for this one', async () => {
    const { order, ref } = await pay()
    const other = { ...sentOrder(order, null, new Date()), method: { last4: '4242' } }
    expect(await authorize.lookUp(at.context(), other)).toMatchObject({ state: 'unknown' })
    expect(await authorize.lookUp(at.context(), sentOrder(newOrder(), ref, new Date()))).toMatchObject({ state: 'unknown' })
  })

  test('tells an approved and a declined review', async () => {
    const held = async () => {
      const order = newOrder()
      return { order, ref: refOf(await chargeNew(authorize, at.context(), order, newCard({ zip: '46298' }))) }
    }
    const [approved, declined] = [await held(), await held()]
    await at.settle(approved.ref, 'succeeded')
    await at.settle(declined.ref, 'failed')
    expect(await authorize.lookUp(at.context(), sentOrder(approved.order, approved.ref, new Date()))).toMatchObject({ state: 'succeeded' })
    expect(await authorize.lookUp(at.context(), sentOrder(declined.order, declined.ref, new Date()))).toMatchObject({ state: 'voided' })
  })
})

describe('[PAY-01] authorize: refunds', () => {
  test('of parts are made once each, and of no more than there is', async () => {
    const { order, ref } = await pay()
    await at.settleBatch()
    const known = identifiedOrder(order, ref, new Date())
    const refund = (minor: bigint, id: string) => authorize.refunds?.refund(at.context(), known, { minor, currency: 'USD' }, id)
    expect(await refund(1_000n, 'r1')).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect(await refund(1_000n, 'r1')).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect(await refund(1_500n, 'r2')).toMatchObject({ state: 'succeeded', refunded: 2_500n })
    expect(await refund(4_000n, 'r3')).toMatchObject({ state: 'declined', providerCode: '55' })
    expect((await at.sandbox.ledger()).filter(({ status }) => status === 'refunded').map(({ amount }) => amount)).toEqual([1_000, 1_500])
  })

  test('one that is approved falsely is not believed', async () => {
    const [unsettled, settled] = [await pay(), await pay()]
    await at.settle(settled.ref, 'succeeded')
    await at.fault({ operation: 'void', kind: 'wrong-amount' })
    await at.fault({ operation: 'refund', kind: 'wrong-amount' })
    for (const { order, ref } of [unsettled, settled])
      expect(await authorize.refunds?.refund(at.context(), identifiedOrder(order, ref, new Date()), order.amount, 'r1')).toMatchObject({
        state: 'unknown',
      })
  })

  test('a debit that has cleared is given back to its account', async () => {
    const { order, ref } = await debit()
    await at.settle(ref, 'succeeded')
    const known = identifiedOrder(order, ref, new Date())
    expect(await authorize.refunds?.refund(at.context(), known, order.amount, 'r1')).toMatchObject({ state: 'succeeded', refunded: 5_000n })
  })
})

describe('[BP-02] authorize: a debit', () => {
  test('is paid when it is settled and its banking days have passed, not before', async () => {
    const { order, ref } = await debit()
    const sentAt = new Date()
    const lookUpAt = (now: Date) => authorize.lookUp(at.context({}, now), sentOrder(order, ref, sentAt))
    expect(await lookUpAt(addBankingDays(sentAt, 5))).toMatchObject({ state: 'processing' })
    await at.settle(ref, 'succeeded')
    expect(await lookUpAt(addMs(addBankingDays(sentAt, 5), -1))).toMatchObject({ state: 'processing' })
    expect(await lookUpAt(addBankingDays(sentAt, 5))).toMatchObject({ state: 'succeeded', amount: order.amount, reversed: 0n })
    const eager = at.context({ returnDays: 0 })
    expect(await authorize.lookUp(eager, sentOrder(order, ref, sentAt))).toMatchObject({ state: 'succeeded' })
  })

  test('that its bank returns in these days was never paid; later it is reversed', async () => {
    const { order, ref } = await debit()
    await at.settle(ref, 'succeeded')
    await at.settle(ref, 'returned')
    const sentAt = new Date()
    const early = await authorize.lookUp(at.context(), sentOrder(order, ref, sentAt))
    expect(early).toMatchObject({ state: 'declined', reason: 'insufficient_funds', providerCode: 'R01' })
    // A return that is seen after it was called paid reverses it, also when the bank dates it before.
    const late = await authorize.lookUp(at.context({}, addBankingDays(sentAt, 5)), sentOrder(order, ref, sentAt))
    expect(late).toMatchObject({ state: 'succeeded', amount: order.amount, reversed: 5_000n })
  })

  test('over the limit is declined at once', async () => {
    const method = await at.storeAccount()
    const large = newOrder({ methodType: 'eCheck', amount: { minor: 10_001n, currency: 'USD' } })
    expect(await chargeStored(authorize, at.context(), large, method)).toMatchObject({ state: 'declined' })
  })

  test('that was returned is listed for its day, and for no other', async () => {
    const { order, ref } = await debit()
    await at.settle(ref, 'succeeded')
    const { ref: kept } = await debit()
    await at.settle(kept, 'succeeded')
    await at.settle(ref, 'returned')
    const listed = async (from: Date, to: Date) => {
      const found: object[] = []
      for await (const one of authorize.refunds?.listReturned?.(at.context({}, addMs(new Date(), 60_000)), from, to) ?? []) found.push(one)
      return found
    }
    const now = new Date()
    expect(await listed(addMs(now, -DAY_MS), addMs(now, DAY_MS))).toEqual([
      { merchantReference: order.merchantReference, providerRef: ref },
    ])
    expect(await listed(addMs(now, -2 * DAY_MS), addMs(now, -DAY_MS))).toEqual([])
  })
})

test('[PAY-01] authorize: reconciliation lists what is settled and what is not, once, with what was given back', async () => {
  const [settled, open, voided] = [await pay(), await pay(), await pay()]
  await at.settle(settled.ref, 'succeeded')
  await authorize.refunds?.refund(
    at.context(),
    identifiedOrder(settled.order, settled.ref, new Date()),
    { minor: 700n, currency: 'USD' },
    'r1',
  )
  await authorize.refunds?.refund(at.context(), identifiedOrder(voided.order, voided.ref, new Date()), voided.order.amount, 'r2')
  const waiting = await debit()
  const declined = newOrder()
  await chargeNew(authorize, at.context(), declined, newCard({ zip: '46282' }))
  const other = newOrder({ merchantReference: 'THE-RESELLERS-OWN' })
  await chargeNew(authorize, at.context(), other, newCard({ number: '4007000000027' }))
  const now = new Date()
  const payments = await listBetween(at.context({}, addMs(now, 1_000)), addMs(now, -60_000), addMs(now, 60_000))
  const stateOf = ({ merchantReference }: ChargeOrder) =>
    payments.filter((payment) => payment.merchantReference === merchantReference).map(({ result }) => result)
  expect(stateOf(settled.order)).toMatchObject([{ state: 'succeeded', refunded: 700n }])
  expect(stateOf(open.order)).toMatchObject([{ state: 'succeeded', refunded: 0n }])
  expect(stateOf(voided.order)).toMatchObject([{ state: 'voided' }])
  expect(stateOf(waiting.order)).toMatchObject([{ state: 'processing' }])
  expect(stateOf(declined)).toMatchObject([{ state: 'declined' }])
  expect(payments.filter(({ merchantReference }) => merchantReference === null)).toHaveLength(1)
  expect(await listBetween(at.context(), addMs(now, -DAY_MS), addMs(now, -60_000))).toEqual([])
})

test('[PAY-01] authorize: a card number is never part of what is shown of a charge', async () => {
  const card = newCard({ number: '4111111111111112' })
  const result = await chargeNew(authorize, at.context(), newOrder(), card)
  expect(JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    '4111111111111112',
  )
  expect(String(new SealedText('4111111111111112'))).toBe('[sealed]')
})
