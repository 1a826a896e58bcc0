import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import { SealedText } from '../../../src/kit/sealed-text.ts'
import type { ChargeResult } from '../../../src/payments/providers/charge-result.ts'
import type { KnownMethod, TypedMethod } from '../../../src/payments/providers/method.ts'
import type { ChargeOrder } from '../../../src/payments/providers/order.ts'
import { chargeNew, chargeStored, requirePrepared, testPermit } from '../charge-directly.ts'
import { PausedProvider } from '../paused-provider.ts'
import { identifiedOrder, sentOrder } from '../sent-order.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { adapterContext, orderAt, STORE_OPTIONS, storeDirectly } from './adapter-bench.ts'
import { testFencing } from './fencing.ts'
import type { TypedDetails } from './provider-driver.ts'
import { PROVIDER_DRIVERS } from './provider-drivers.ts'

/** Entries of kinds that not every provider takes. */
const FOREIGN_ENTRIES: readonly TypedMethod[] = [
  { kind: 'sealed', sealed: { encryptedNumber: 'AAAA' } },
  { kind: 'card', card: { number: new SealedText('4111111111111111'), expMonth: 12, expYear: 2031, securityCode: null } },
]

const pauses = new Map(PROVIDER_DRIVERS.map(({ name, adapter }) => [name, new PausedProvider(adapter.provider)]))
const fixture = await usePaymentsFixture({}, { providers: (name) => pauses.get(name)?.provider })
const { sandbox } = fixture

/** What every adapter must do at its stand-in. */
describe.each(PROVIDER_DRIVERS)('$name', (driver) => {
  const { name, currency, adapter } = driver
  const { provider, givesReferenceFirst } = adapter
  const transcripts: string[] = []
  const context = (settings = adapter.settings) => adapterContext(provider, sandbox, settings as never, { transcripts })
  const bench = { sandbox, context }

  const charge = (order: ChargeOrder, method: KnownMethod): Promise<ChargeResult> => chargeStored(provider, context(), order, method)
  const storeCard = async (): Promise<KnownMethod> => {
    const { card } = await adapter.enterCard(bench, 'store')
    return storeDirectly(provider, context(), { type: 'card', ...card })
  }
  /** Charges a new card over the usual amount or another. */
  const chargeTyped = async (typed: TypedDetails, minor = 11_000n, key?: string): Promise<ChargeResult> => {
    const { card, entryReference = null } = await adapter.enterCard(bench, 'pay', typed)
    const order = orderAt(provider, currency, { amount: { minor, currency }, entryReference: key ?? entryReference })
    return chargeNew(provider, context(), order, card)
  }
  const listBooked = async (merchantReference: string): Promise<number[]> =>
    (await sandbox.bookedOf(merchantReference)).filter(([status]) => status === 'succeeded').map(([, amount]) => amount)
  const prepareOrder = async () => {
    const method = await storeCard()
    const order = orderAt(provider, currency, { providerCustomerId: method.providerCustomerId })
    return { method, order, sentAt: context().now }
  }
  /** Prepares a charge, and watches what is sent from then on. */
  const prepareCharge = async () => {
    const { method, order, sentAt } = await prepareOrder()
    const prepared = requirePrepared(await provider.prepareStoredMethodCharge(context(), order, method))
    return { method, order, sentAt, prepared }
  }

  test('a charge that is approved is paid, over its very amount, once', async () => {
    const { method, order } = await prepareOrder()
    expect(await charge(order, method)).toMatchObject({ state: 'succeeded', amount: order.amount, refunded: 0n, reversed: 0n })
    expect(await listBooked(order.merchantReference)).toEqual([11_000])
  })

  test.runIf(provider.idempotency === 'by-key')('the same attempt sent twice moves money once', async () => {
    const { method, order } = await prepareOrder()
    const [first, again] = [await charge(order, method), await charge(order, method)]
    expect(again).toEqual(first)
    expect(await listBooked(order.merchantReference)).toEqual([11_000])
  })

  test('an entry of a kind that it does not take is refused, in words for people, and not told as a provider that is out of reach', async () => {
    const typedMethod = FOREIGN_ENTRIES.find(({ kind }) => !provider.entry.accepts.includes(kind)) ?? { kind: 'token', token: '' }
    const declined = { state: 'declined', userMessage: expect.stringMatching(/^[A-Z].+\.$/) }
    const contact = { holder: 'Ada Payer', email: 'ada@payer.example' }
    expect(await provider.storing.store(context(), '', { typedMethod, type: 'card', ...contact }, STORE_OPTIONS)).toMatchObject(declined)
    expect(await chargeNew(provider, context(), orderAt(provider, currency), { typedMethod, ...contact })).toMatchObject(declined)
  })

  test.each(Object.entries(adapter.declining))(
    'a decline is told as %s, in words for people',
    async (reason, { minor, entryReference, ...typed }) => {
      const result = await chargeTyped(typed, minor, entryReference)
      expect(result).toMatchObject({ state: 'declined', reason, userMessage: expect.stringMatching(/^[A-Z].+\.?$/) })
    },
  )

  test.each([
    ['drop', true],
    ['drop', false],
    ['error', true],
    ['garbage', true],
    ['garbage', false],
    ['slow', true],
  ])('an answer that is lost (%s, charged: %s) is unknown, and a look-up finds the truth', async (kind, isBooked) => {
    const { order, sentAt, prepared } = await prepareCharge()
    await sandbox.fault({ provider: name, operation: 'charge', kind, booked: isBooked, ms: 2_500 })
    expect((await prepared.submit(testPermit())).state).toBe('unknown')
    const found = await provider.lookUp(context(), sentOrder(order, prepared.providerRef, sentAt))
    if (isBooked) expect(found).toMatchObject({ state: 'succeeded', amount: order.amount })
    // Nothing found is no decline: a list may lag, or the request may still be on its way.
    else expect(['absent', 'not_started', 'unknown']).toContain(found.state)
    expect(await listBooked(order.merchantReference)).toEqual(isBooked ? [11_000] : [])
  })

  // A provider without a reference of its own holds nothing that could be given up before it is paid.
  test.runIf(provider.cancel !== undefined && givesReferenceFirst)('what was given up is never charged', async () => {
    const { order, prepared } = await prepareCharge()
    await sandbox.fault({ provider: name, operation: 'charge', kind: 'drop', booked: false })
    await prepared.submit(testPermit())
    expect(await provider.cancel?.(context(), identifiedOrder(order, prepared.providerRef ?? ''))).toMatchObject({ state: 'canceled' })
    expect((await prepared.submit(testPermit())).state).not.toBe('succeeded')
    expect(await listBooked(order.merchantReference)).toEqual([])
  })

  test('nothing is charged before it is submitted, nor with a permit that is over, and what was prepared can be removed', async () => {
    const { order, prepared } = await prepareCharge()
    expect(await listBooked(order.merchantReference)).toEqual([])
    expect(await prepared.submit(testPermit(true))).toMatchObject({ state: 'not_sent' })
    await prepared.discard?.()
    expect(await listBooked(order.merchantReference)).toEqual([])
    expect(prepared.providerRef === null || prepared.providerRef === order.merchantReference).toBe(!givesReferenceFirst)
  })

  test.runIf(adapter.forgetsRemoved !== false)('a method that was removed cannot be charged; removing it again is no failure', async () => {
    const { method, order } = await prepareOrder()
    await provider.storing.remove(context(), method)
    await provider.storing.remove(context(), method)
    expect((await charge(order, method)).state).toBe('declined')
    expect(await listBooked(order.merchantReference)).toEqual([])
  })

  test.runIf(provider.refunds !== undefined)('a refund is told by the next look-up', async () => {
    const { method, order } = await prepareOrder()
    const charged = await charge(order, method)
    const ref = charged.state === 'succeeded' ? charged.providerRef : ''
    const part = { minor: 2_750n, currency }
    const known = { ...identifiedOrder(order, ref, context().now), method: { last4: method.details.last4 ?? '' } }
    // Some providers give back a payment as a whole until it is settled.
    const result = await provider.refunds?.refund(context(), known, adapter.refundsInParts === false ? order.amount : part, randomUUID())
    const refunded = adapter.refundsInParts === false ? order.amount.minor : part.minor
    expect(result).toMatchObject({ state: 'succeeded', refunded })
  })

  test.runIf(provider.listPayments !== undefined)('the list of what was booked holds the payment under our own id', async () => {
    const { method, order } = await prepareOrder()
    await charge(order, method)
    const found: (string | null)[] = []
    const { now } = context()
    for await (const payment of provider.listPayments?.(context(), addMs(now, -60_000), addMs(now, 60_000)) ?? [])
      found.push(payment.merchantReference)
    expect(found.filter((id) => id === order.merchantReference)).toHaveLength(1)
  })

  test.runIf(adapter.approveWithoutStoring !== undefined)('approved but not stored is not paid', async () => {
    const { method, order } = await prepareOrder()
    const testMode = adapter.approveWithoutStoring?.(bench) ?? context()
    expect((await chargeStored(provider, testMode, order, method)).state).not.toBe('succeeded')
  })

  test.runIf(adapter.heldForReview !== undefined)('what is held for review is pending, not paid', async () => {
    expect(await chargeTyped(adapter.heldForReview ?? {})).toMatchObject({ state: 'processing' })
  })

  test.runIf(!givesReferenceFirst)('a look-up by our reference alone finds a payment whose id was never told', async () => {
    const { method, order, sentAt } = await prepareOrder()
    const charged = await charge(order, method)
    const found = await provider.lookUp(context(), sentOrder(order, null, sentAt))
    expect(found).toMatchObject({ state: 'succeeded', providerRef: charged.state === 'succeeded' ? charged.providerRef : '' })
  })

  test.runIf(provider.webhooks?.isSigned === true)('a forged webhook is refused', () => {
    expect(() => provider.webhooks?.parse(context(), { headers: {}, raw: '{}' })).toThrow('signature')
  })

  const paused = pauses.get(name)
  if (paused !== undefined) testFencing(fixture, driver, { paused, storeCard })

  test('no transcript holds a secret', () => {
    expect(transcripts.length).toBeGreaterThan(10)
    const all = transcripts.join('\n')
    for (const secret of adapter.secrets) expect(all).not.toContain(secret)
  })
})
