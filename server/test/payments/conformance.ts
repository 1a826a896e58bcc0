import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addMs } from '../../src/kit/clock.ts'
import type { TestSandbox } from './sandbox.ts'
import type { AnyProvider, ProviderContext, ChargeOrder, ChargeResult, DeclineReason } from '../../src/payments/providers/provider.ts'

/** What a provider's own test brings: the provider before its stand-in, and how that is told what to do. */
export interface Conformance {
  readonly provider: AnyProvider
  readonly sandbox: () => TestSandbox
  /** A call whose transcripts, scrubbed, are kept in `transcripts`. */
  readonly call: () => ProviderContext<never>
  readonly transcripts: readonly string[]
  /** Texts that no transcript may hold. */
  readonly secrets: readonly string[]
  /** A token of a stored method that can be charged, and of new cards that the company declines. */
  readonly goodMethod: () => Promise<{ token: string; providerCustomerId: string | null }>
  readonly declining: Readonly<Partial<Record<DeclineReason, () => Promise<{ token: string; providerCustomerId: string | null }>>>>
  /** The sandbox's words for the operation that moves money, and for looking it up. */
  readonly operation: string
}

/**
 * The sentences that hold of every payment company before its stand-in. A provider is done when they pass.
 */
export const conforms = (name: string, given: Conformance): void => {
  const { provider, sandbox, call } = given

  const charged = async (order: ChargeOrder, token: string): Promise<ChargeResult> => provider.chargeStoredMethod(call(), order, token)
  const booked = async (attemptId: string): Promise<number[]> =>
    (await sandbox().ledger())
      .filter(({ reference, status }) => reference === attemptId && status === 'succeeded')
      .map(({ amount }) => amount)
  const begun = async () => {
    const { token, providerCustomerId: owner } = await given.goodMethod()
    let announced: string | null = null
    const order = orderOf(owner, async (ref) => {
      announced = ref
    })
    return { token, order, providerRef: () => announced, sentAt: call().now }
  }

  describe(`${name} conforms`, () => {
    test('a charge that is approved is paid, over its very amount, once', async () => {
      const { token, order } = await begun()
      expect(await charged(order, token)).toMatchObject({ state: 'paid', amount: order.amount, refunded: 0n, reversed: 0n })
      expect(await booked(order.attemptId)).toEqual([11_000])
    })

    test.runIf(provider.idempotency === 'by-key')('the same attempt sent twice moves money once', async () => {
      const { token, order } = await begun()
      const [first, again] = [await charged(order, token), await charged(order, token)]
      expect(again).toEqual(first)
      expect(await booked(order.attemptId)).toEqual([11_000])
    })

    test.each(Object.entries(given.declining))('a decline is told as %s, in words for people', async (reason, method) => {
      const { token, providerCustomerId: owner } = await method()
      const result = await provider.chargeNewCard?.(call(), orderOf(owner), { token })
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
      const { token, order, providerRef, sentAt } = await begun()
      await sandbox().fault({ operation: given.operation, kind, booked: isBooked, ms: 2_500 })
      expect((await charged(order, token)).state).toBe('unknown')
      const found = await provider.lookUp(call(), { attemptId: order.attemptId, providerRef: providerRef(), sentAt })
      expect(found.state === 'paid').toBe(isBooked)
      if (isBooked) expect(found).toMatchObject({ amount: order.amount })
      expect(await booked(order.attemptId)).toEqual(isBooked ? [11_000] : [])
    })

    test.runIf(provider.cancel !== undefined)('what was given up is never charged', async () => {
      const { token, order, providerRef } = await begun()
      await sandbox().fault({ operation: given.operation, kind: 'drop', booked: false })
      await charged(order, token)
      expect(await provider.cancel?.(call(), { attemptId: order.attemptId, providerRef: providerRef() ?? '' })).toMatchObject({
        state: 'cancelled',
      })
      expect((await charged(order, token)).state).not.toBe('paid')
      expect(await booked(order.attemptId)).toEqual([])
    })

    test('nothing is asked of the company when its reference cannot be kept', async () => {
      const { token, providerCustomerId: owner } = await given.goodMethod()
      const order = orderOf(owner, () => Promise.reject(new Error('the attempt was settled meanwhile')))
      await expect(charged(order, token)).rejects.toThrow('settled meanwhile')
      expect(await booked(order.attemptId)).toEqual([])
    })

    test('a method that was removed cannot be charged; removing it again is no failure', async () => {
      const { token, order } = await begun()
      await provider.removeMethod(call(), token)
      await provider.removeMethod(call(), token)
      expect((await charged(order, token)).state).toBe('declined')
      expect(await booked(order.attemptId)).toEqual([])
    })

    test.runIf(provider.refund !== undefined)('a refund is told by the next look-up', async () => {
      const { token, order, providerRef } = await begun()
      await charged(order, token)
      const attempt = { attemptId: order.attemptId, providerRef: providerRef() ?? '' }
      const result = await provider.refund?.(call(), attempt, { minor: 4_000n, currency: 'AUD' }, randomUUID())
      expect(result).toMatchObject({ state: 'paid', refunded: 4_000n })
    })

    test.runIf(provider.listPayments !== undefined)('the list of what was booked holds the payment under our own id', async () => {
      const { token, order } = await begun()
      await charged(order, token)
      const found: (string | null)[] = []
      const { now } = call()
      for await (const one of provider.listPayments?.(call(), addMs(now, -60_000), addMs(now, 60_000)) ?? []) found.push(one.attemptId)
      expect(found.filter((id) => id === order.attemptId)).toHaveLength(1)
    })

    test.runIf(provider.parseWebhook !== undefined)('a forged notice is refused', () => {
      expect(() => provider.parseWebhook?.(call(), { headers: {}, raw: '{}' })).toThrow('signature')
    })

    test('no transcript holds a secret', () => {
      expect(given.transcripts.length).toBeGreaterThan(10)
      const all = given.transcripts.join('\n')
      for (const secret of given.secrets) expect(all).not.toContain(secret)
    })
  })
}

const orderOf = (owner: string | null, announce: (ref: string) => Promise<void> = async () => undefined): ChargeOrder => ({
  attemptId: randomUUID(),
  amount: { minor: 11_000n, currency: 'AUD' },
  methodType: 'card',
  invoiceNumbers: ['INV-1'],
  legalName: 'Nimbus',
  providerCustomerId: owner,
  returnUrl: 'http://localhost:3000/payment-result',
  client: { ip: '192.0.2.1', userAgent: 'a browser' },
  saveReference: announce,
})
