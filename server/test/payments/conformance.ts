import { randomUUID } from 'node:crypto'
import type { Money } from '@counterfoil/contract/kit/money'
import { describe, expect, test } from 'vitest'
import { addMs } from '../../src/kit/clock.ts'
import { SealedText } from '../../src/kit/sealed-text.ts'
import { createReference } from '../../src/payments/attempts/merchant-reference.ts'
import type { TestSandbox } from './sandbox.ts'
import { chargeNew, chargeStored, requirePrepared, testPermit } from './charge-directly.ts'
import { testFencing } from './fencing.ts'
import { identifiedOrder, sentOrder } from './sent-order.ts'
import type { ProviderContext } from '../../src/payments/providers/account.ts'
import type { ChargeResult } from '../../src/payments/providers/charge-result.ts'
import type { DeclineReason } from '../../src/payments/providers/decline.ts'
import type { ChargeOrder } from '../../src/payments/providers/order.ts'
import type { PaymentProvider } from '../../src/payments/providers/provider.ts'
import type { KnownMethod, TypedMethod, NewCard } from '../../src/payments/providers/method.ts'

/** Entries of kinds that not every provider takes. */
const FOREIGN_ENTRIES: readonly TypedMethod[] = [
  { kind: 'sealed', sealed: { encryptedNumber: 'AAAA' } },
  { kind: 'card', card: { number: new SealedText('4111111111111111'), expMonth: 12, expYear: 2031, securityCode: null } },
]

/** What a provider's test supplies: the provider, its stand-in, and how to control that. */
export interface ConformanceSetup {
  readonly provider: PaymentProvider
  readonly sandbox: () => TestSandbox
  /** A context whose redacted transcripts are collected in `transcripts`. */
  readonly context: () => ProviderContext<never>
  readonly transcripts: readonly string[]
  /** Texts that no transcript may contain. */
  readonly secrets: readonly string[]
  /** What is charged: an amount in a currency that the provider takes and its stand-in approves. */
  readonly amount: Money
  /** Stores a method that can be charged. */
  readonly goodMethod: () => Promise<KnownMethod>
  /** New cards that are declined; some stand-ins decide by the amount. */
  readonly declining: Readonly<
    Partial<Record<DeclineReason, () => Promise<{ readonly card: NewCard; readonly amount?: Money; readonly entryReference?: string }>>>
  >
  /** Whether a part of a payment can be given back at once; true unless it says so. */
  readonly refundsInParts?: boolean
  /** Whether the provider forgets a method that is removed; true unless it says so. Tokens of some providers are valid for ever. */
  readonly forgetsRemoved?: boolean
  /** Whether the provider gives its reference before any money can move. One-call providers do not. */
  readonly givesReferenceFirst: boolean
  /** Makes the next charge approved but not stored, as in a test mode, where the provider has one. */
  readonly approveWithoutStoring?: () => Promise<ProviderContext<never>>
  /** Makes the next charge one that the provider holds for review, where it does. */
  readonly holdForReview?: () => Promise<{ readonly card: NewCard }>
  /** The sandbox's name of the operation that charges. */
  readonly operation: string
}

/** The tests that every provider must pass against its stand-in. */
export const testConformance = (name: string, setup: ConformanceSetup): void => {
  const { provider, sandbox, context } = setup

  const cents = Number(setup.amount.minor)
  const charge = (order: ChargeOrder, method: KnownMethod): Promise<ChargeResult> => chargeStored(provider, context(), order, method)
  const newOrder = (customerId: string | null): ChargeOrder => ({
    merchantReference: createReference(provider.reference, randomUUID()),
    amount: setup.amount,
    methodType: 'card',
    invoiceNumbers: ['INV-1'],
    legalName: 'Nimbus',
    customerId: 7,
    entryReference: null,
    providerCustomerId: customerId,
    returnUrl: 'http://localhost:3000/payment-result',
    client: { ip: '192.0.2.1', userAgent: 'a browser' },
  })
  const listBooked = async (merchantReference: string): Promise<number[]> =>
    (await sandbox().ledger())
      .filter(({ reference, status }) => reference === merchantReference && status === 'succeeded')
      .map(({ amount }) => amount)
  const prepareOrder = async () => {
    const method = await setup.goodMethod()
    return { method, order: newOrder(method.providerCustomerId), sentAt: context().now }
  }
  /** Prepares a charge, and watches what is sent from then on. */
  const prepareCharge = async () => {
    const { method, order, sentAt } = await prepareOrder()
    const prepared = requirePrepared(await provider.prepareStoredMethodCharge(context(), order, method))
    return { method, order, sentAt, prepared }
  }

  describe(`${name} conforms`, () => {
    test('a charge that is approved is paid, over its very amount, once', async () => {
      const { method, order } = await prepareOrder()
      expect(await charge(order, method)).toMatchObject({ state: 'succeeded', amount: order.amount, refunded: 0n, reversed: 0n })
      expect(await listBooked(order.merchantReference)).toEqual([cents])
    })

    test.runIf(provider.idempotency === 'by-key')('the same attempt sent twice moves money once', async () => {
      const { method, order } = await prepareOrder()
      const [first, again] = [await charge(order, method), await charge(order, method)]
      expect(again).toEqual(first)
      expect(await listBooked(order.merchantReference)).toEqual([cents])
    })

    test('an entry of a kind that it does not take is refused, in words for people, and not told as a provider that is out of reach', async () => {
      const typedMethod = FOREIGN_ENTRIES.find(({ kind }) => !provider.entry.accepts.includes(kind)) ?? { kind: 'token', token: '' }
      const declined = { state: 'declined', userMessage: expect.stringMatching(/^[A-Z].+\.$/) }
      const contact = { holder: 'Ada Payer', email: 'ada@payer.example' }
      const options = {
        client: { ip: '192.0.2.1', userAgent: 'a browser' },
        returnUrl: 'http://localhost',
        id: randomUUID(),
        customerId: 7,
      }
      expect(await provider.storing.store(context(), '', { typedMethod, type: 'card', ...contact }, options)).toMatchObject(declined)
      expect(await chargeNew(provider, context(), newOrder(null), { typedMethod, ...contact })).toMatchObject(declined)
    })

    test.each(Object.entries(setup.declining))('a decline is told as %s, in words for people', async (reason, prepare) => {
      const { card, amount = setup.amount, entryReference = null } = await prepare()
      const result = await chargeNew(provider, context(), { ...newOrder(null), amount, entryReference }, card)
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
      const { order, sentAt, prepared } = await prepareCharge()
      await sandbox().fault({ provider: provider.name, operation: setup.operation, kind, booked: isBooked, ms: 2_500 })
      expect((await prepared.submit(testPermit())).state).toBe('unknown')
      const found = await provider.lookUp(context(), sentOrder(order, prepared.providerRef, sentAt))
      if (isBooked) expect(found).toMatchObject({ state: 'succeeded', amount: order.amount })
      // Nothing found is no decline: a list may lag, or the request may still be on its way.
      else expect(['absent', 'not_started', 'unknown']).toContain(found.state)
      expect(await listBooked(order.merchantReference)).toEqual(isBooked ? [cents] : [])
    })

    // A provider without a reference of its own holds nothing that could be given up before it is paid.
    test.runIf(provider.cancel !== undefined && setup.givesReferenceFirst)('what was given up is never charged', async () => {
      const { order, prepared } = await prepareCharge()
      await sandbox().fault({ provider: provider.name, operation: setup.operation, kind: 'drop', booked: false })
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
      expect(prepared.providerRef === null || prepared.providerRef === order.merchantReference).toBe(!setup.givesReferenceFirst)
    })

    test.runIf(setup.forgetsRemoved !== false)('a method that was removed cannot be charged; removing it again is no failure', async () => {
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
      const part = { minor: setup.amount.minor / 4n, currency: setup.amount.currency }
      const known = { ...identifiedOrder(order, ref, context().now), method: { last4: method.details.last4 ?? '' } }
      // Some providers give back a payment as a whole until it is settled.
      const result = await provider.refunds?.refund(context(), known, setup.refundsInParts === false ? setup.amount : part, randomUUID())
      const refunded = setup.refundsInParts === false ? setup.amount.minor : part.minor
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

    test.runIf(setup.approveWithoutStoring !== undefined)('approved but not stored is not paid', async () => {
      const { method, order } = await prepareOrder()
      const testMode = await setup.approveWithoutStoring?.()
      expect((await chargeStored(provider, testMode ?? context(), order, method)).state).not.toBe('succeeded')
    })

    test.runIf(setup.holdForReview !== undefined)('what is held for review is pending, not paid', async () => {
      const held = await setup.holdForReview?.()
      const result = await chargeNew(provider, context(), newOrder(null), held?.card ?? { typedMethod: { kind: 'token', token: '' } })
      expect(result).toMatchObject({ state: 'processing' })
    })

    test.runIf(!setup.givesReferenceFirst)('a look-up by our reference alone finds a payment whose id was never told', async () => {
      const { method, order, sentAt } = await prepareOrder()
      const charged = await charge(order, method)
      const found = await provider.lookUp(context(), sentOrder(order, null, sentAt))
      expect(found).toMatchObject({ state: 'succeeded', providerRef: charged.state === 'succeeded' ? charged.providerRef : '' })
    })

    test.runIf(provider.webhooks?.isSigned === true)('a forged webhook is refused', () => {
      expect(() => provider.webhooks?.parse(context(), { headers: {}, raw: '{}' })).toThrow('signature')
    })

    testFencing(setup)

    test('no transcript holds a secret', () => {
      expect(setup.transcripts.length).toBeGreaterThan(10)
      const all = setup.transcripts.join('\n')
      for (const secret of setup.secrets) expect(all).not.toContain(secret)
    })
  })
}
