import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addMs } from '../../src/kit/clock.ts'
import type { TestSandbox } from './sandbox.ts'
import { knownOrder, sentOrder } from './sent-order.ts'
import type {
  AnyProvider,
  ProviderContext,
  ChargeOrder,
  ChargeResult,
  DeclineReason,
  KnownMethod,
} from '../../src/payments/providers/provider.ts'

/** What a provider's test supplies: the provider, its stand-in, and how to control that. */
export interface ConformanceSetup {
  readonly provider: AnyProvider
  readonly sandbox: () => TestSandbox
  /** A context whose redacted transcripts are collected in `transcripts`. */
  readonly context: () => ProviderContext<never>
  readonly transcripts: readonly string[]
  /** Texts that no transcript may contain. */
  readonly secrets: readonly string[]
  /** A token of a chargeable stored method, and tokens of new cards that are declined. */
  readonly goodMethod: () => Promise<{ token: string; providerCustomerId: string | null }>
  readonly declining: Readonly<Partial<Record<DeclineReason, () => Promise<{ token: string; providerCustomerId: string | null }>>>>
  /** The sandbox's name of the operation that charges. */
  readonly operation: string
}

/** The tests that every provider must pass against its stand-in. */
export const testConformance = (name: string, setup: ConformanceSetup): void => {
  const { provider, sandbox, context } = setup

  const chargeStored = async (order: ChargeOrder, token: string): Promise<ChargeResult> =>
    provider.chargeStoredMethod(context(), order, token)
  const listBooked = async (ourRef: string): Promise<number[]> =>
    (await sandbox().ledger()).filter(({ reference, status }) => reference === ourRef && status === 'succeeded').map(({ amount }) => amount)
  const prepareOrder = async () => {
    const { token, providerCustomerId: customerId } = await setup.goodMethod()
    let reference: string | null = null
    const order = newOrder(customerId, async (ref) => {
      reference = ref
    })
    return { token, order, providerRef: () => reference, sentAt: context().now }
  }

  describe(`${name} conforms`, () => {
    test('a charge that is approved is paid, over its very amount, once', async () => {
      const { token, order } = await prepareOrder()
      expect(await chargeStored(order, token)).toMatchObject({ state: 'succeeded', amount: order.amount, refunded: 0n, reversed: 0n })
      expect(await listBooked(order.ourRef)).toEqual([11_000])
    })

    test.runIf(provider.idempotency === 'by-key')('the same attempt sent twice moves money once', async () => {
      const { token, order } = await prepareOrder()
      const [first, again] = [await chargeStored(order, token), await chargeStored(order, token)]
      expect(again).toEqual(first)
      expect(await listBooked(order.ourRef)).toEqual([11_000])
    })

    test.each(Object.entries(setup.declining))('a decline is told as %s, in words for people', async (reason, method) => {
      const { token, providerCustomerId: customerId } = await method()
      const result = await provider.chargeNewCard?.(context(), newOrder(customerId), { entry: { kind: 'token', token } })
      expect(result).toMatchObject({ state: 'declined', reason, userMessage: expect.stringMatching(/^[A-Z].+\.?$/) })
    })

    test.each([
      ['drop', true],
      ['drop', false],
      ['error', true],
      ['garbage', true],
      ['garbage', false],
      ['slow', true],
    ])('an answer that is lost (%s, charged: %s) is unknown, and a look-up finds the truth', async (kind, isBooked) => {
      const { token, order, providerRef, sentAt } = await prepareOrder()
      await sandbox().fault({ provider: provider.name, operation: setup.operation, kind, booked: isBooked, ms: 2_500 })
      expect((await chargeStored(order, token)).state).toBe('unknown')
      const found = await provider.lookUp(context(), sentOrder(order, providerRef(), sentAt))
      expect(found.state === 'succeeded').toBe(isBooked)
      if (isBooked) expect(found).toMatchObject({ amount: order.amount })
      expect(await listBooked(order.ourRef)).toEqual(isBooked ? [11_000] : [])
    })

    test.runIf(provider.cancel !== undefined)('what was given up is never charged', async () => {
      const { token, order, providerRef } = await prepareOrder()
      await sandbox().fault({ provider: provider.name, operation: setup.operation, kind: 'drop', booked: false })
      await chargeStored(order, token)
      expect(await provider.cancel?.(context(), knownOrder(order, providerRef() ?? ''))).toMatchObject({
        state: 'canceled',
      })
      expect((await chargeStored(order, token)).state).not.toBe('succeeded')
      expect(await listBooked(order.ourRef)).toEqual([])
    })

    test('nothing is asked of the provider when its reference cannot be kept', async () => {
      const { token, providerCustomerId: customerId } = await setup.goodMethod()
      const order = newOrder(customerId, () => Promise.reject(new Error('the attempt was settled meanwhile')))
      await expect(chargeStored(order, token)).rejects.toThrow('settled meanwhile')
      expect(await listBooked(order.ourRef)).toEqual([])
    })

    test('a method that was removed cannot be charged; removing it again is no failure', async () => {
      const { token, order } = await prepareOrder()
      const method: KnownMethod = { token, kind: 'card', providerCustomerId: order.providerCustomerId, details: {} }
      await provider.removeMethod(context(), method)
      await provider.removeMethod(context(), method)
      expect((await chargeStored(order, token)).state).toBe('declined')
      expect(await listBooked(order.ourRef)).toEqual([])
    })

    test.runIf(provider.refund !== undefined)('a refund is told by the next look-up', async () => {
      const { token, order, providerRef } = await prepareOrder()
      await chargeStored(order, token)
      const result = await provider.refund?.(
        context(),
        knownOrder(order, providerRef() ?? ''),
        { minor: 4_000n, currency: 'AUD' },
        randomUUID(),
      )
      expect(result).toMatchObject({ state: 'succeeded', refunded: 4_000n })
    })

    test.runIf(provider.listPayments !== undefined)('the list of what was booked holds the payment under our own id', async () => {
      const { token, order } = await prepareOrder()
      await chargeStored(order, token)
      const found: (string | null)[] = []
      const { now } = context()
      for await (const payment of provider.listPayments?.(context(), addMs(now, -60_000), addMs(now, 60_000)) ?? [])
        found.push(payment.ourRef)
      expect(found.filter((id) => id === order.ourRef)).toHaveLength(1)
    })

    test.runIf(provider.parseWebhook !== undefined)('a forged webhook is refused', () => {
      expect(() => provider.parseWebhook?.(context(), { headers: {}, raw: '{}' })).toThrow('signature')
    })

    test('no transcript holds a secret', () => {
      expect(setup.transcripts.length).toBeGreaterThan(10)
      const all = setup.transcripts.join('\n')
      for (const secret of setup.secrets) expect(all).not.toContain(secret)
    })
  })
}

const newOrder = (customerId: string | null, saveReference: (ref: string) => Promise<void> = async () => undefined): ChargeOrder => ({
  ourRef: randomUUID(),
  amount: { minor: 11_000n, currency: 'AUD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1'],
  legalName: 'Nimbus',
  providerCustomerId: customerId,
  returnUrl: 'http://localhost:3000/payment-result',
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  saveReference,
})
