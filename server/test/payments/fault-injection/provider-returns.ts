import { randomUUID } from 'node:crypto'
import { findAccountOf } from '../../../src/payments/accounts/accounts.ts'
import { toSentOrder } from '../../../src/payments/engine/look-up.ts'
import type { Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import type { ChargeResult } from '../../../src/payments/providers/charge-result.ts'
import { BPOINT_SETTINGS } from '../providers/bpoint.driver.ts'
import type { PaymentsFixture } from '../payments-fixture.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'

/** What a company's desk or a bank does with a payment, behind our back. */
export const COMEBACKS = ['void', 'refund', 'partial refund', 'chargeback'] as const
export type Comeback = (typeof COMEBACKS)[number]

/** The part that a partial refund gives back, in minor units. */
export const PART_MINOR = 4_000

const NO_CHARGEBACK = 'no call and no list of the company tells of one'

/** What a company does not have, and where its sheet says so. */
export const MISSING: Readonly<Record<string, Readonly<Partial<Record<Comeback, string>>>>> = {
  stripe: { void: 'an unfinished PaymentIntent is cancelled, a finished one refunded (stripe.md §2)' },
  pinch: { void: 'there is no void (pinch.md §2)', chargeback: `${NO_CHARGEBACK}: the data of its events is not documented (pinch.md §6)` },
  bpoint: { chargeback: `${NO_CHARGEBACK} (bpoint.md §2.1)` },
  moneris: { chargeback: `${NO_CHARGEBACK} (moneris.md §4)` },
}

interface ReturnsDeps {
  readonly fixture: PaymentsFixture
  readonly provider: ProviderDriver
  readonly resellerId: number
}

/** Gives a payment an outcome at the stand-in's bank. */
export const settleAtBank = (
  { fixture, provider: { name } }: ReturnsDeps,
  { merchantReference }: Pick<Attempt, 'merchantReference'>,
  outcome: 'succeeded' | 'charged_back' | 'chargeback_won',
): Promise<void> => fixture.sandbox.settlePayment(name, merchantReference, outcome)

/** Closes the day on which a payment was made, after which it cannot be voided any more. */
const closeDay = async (deps: ReturnsDeps, attempt: Attempt): Promise<void> => {
  const { settlesCards } = deps.provider
  if (settlesCards === 'each') return settleAtBank(deps, attempt, 'succeeded')
  if (settlesCards !== undefined) await deps.fixture.sandbox.post(settlesCards, {})
}

/** Lets the company do this with a payment; the engine is told nothing. */
export const giveBack = async (deps: ReturnsDeps, attempt: Attempt, comeback: Comeback): Promise<void> => {
  const {
    fixture,
    provider: { name },
  } = deps
  const account = await findAccountOf(fixture.payments, attempt)
  if (account === null) throw new Error(`${name} is not connected`)
  const order = toSentOrder(attempt)
  const found: ChargeResult = await account.provider.lookUp(account.context, order)
  if (found.state !== 'succeeded') throw new Error(`${name} says ${JSON.stringify(found)}`)
  const { providerRef } = found
  if (comeback === 'void' && name === 'bpoint')
    return reverseAtBpoint(deps, order.merchantReference, { providerRef, amount: order.amount.minor })
  if (comeback !== 'void') await closeDay(deps, attempt)
  if (comeback === 'chargeback') return settleAtBank(deps, attempt, 'charged_back')
  const minor = comeback === 'partial refund' ? BigInt(PART_MINOR) : order.amount.minor
  const known = { ...order, providerRef, refunded: 0n }
  const result = await account.provider.refunds?.refund(account.context, known, { ...order.amount, minor }, randomUUID())
  if (result?.state !== 'succeeded') throw new Error(`${name} did not give it back: ${JSON.stringify(result)}`)
}

const reverseAtBpoint = (
  { fixture, resellerId }: ReturnsDeps,
  merchantReference: string,
  { providerRef, amount }: { providerRef: string; amount: bigint },
): Promise<void> => {
  const { username, password } = BPOINT_SETTINGS
  const login = `${username}|${5_353_109_000_000_000 + resellerId}:${password}`
  const details = { type: 'Internet', subType: 'Single', crn1: '1', currency: 'AUD', testMode: false }
  return fixture.sandbox.post(
    '/bpoint/rest/v5/txns',
    { action: 'Reversal', amount: Number(amount), merchantReference: merchantReference, originalTxnNumber: providerRef, ...details },
    { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  )
}
