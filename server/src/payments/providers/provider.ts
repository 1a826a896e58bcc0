import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { ProviderAccount, ProviderContext } from './account.ts'
import type { ProviderAmounts } from './amounts.ts'
import type { ChargeResult, ProviderPayment } from './charge-result.ts'
import type { ProviderDebits } from './debits.ts'
import type { ProviderEntry } from './entry.ts'
import type { ProviderFrames } from './frames.ts'
import type { KnownMethod, NewCard } from './method.ts'
import type { ChargeOrder, IdentifiedOrder, ReferenceFormat, SentOrder } from './order.ts'
import type { NotPrepared, PreparedCharge } from './prepared-charge.ts'
import type { ProviderRefunds } from './refunds.ts'
import type { ProviderStoring } from './storing.ts'
import type { ProviderWebhooks } from './webhooks.ts'

/**
 * A payment provider, as its own folder writes it. It is stateless: it gets settings and an HTTP client, never the database. An absent
 * optional member means that the provider does not support it.
 */
export interface ProviderOf<Settings> {
  readonly name: ProviderName
  /** Where an operator looks for a payment with no known outcome, and what our reference is called there. */
  readonly reviewText: string
  /** How our references must look; without it, they are the attempt's id, a UUID. */
  readonly reference?: ReferenceFormat
  /** Whether an unanswered charge may be sent again: `by-key` moves money at most once per idempotency key. */
  readonly idempotency: 'by-key' | 'by-window' | 'never'
  /**
   * How long after a charge was sent a look-up that finds nothing proves that nothing was charged, in milliseconds; null: never, so a
   * person decides.
   */
  readonly notFoundMeansUnpaidAfterMs: number | null

  readonly account: ProviderAccount<Settings>
  readonly entry: ProviderEntry<Settings>
  readonly storing: ProviderStoring<Settings>
  readonly amounts?: ProviderAmounts<Settings>
  readonly debits?: ProviderDebits<Settings>
  readonly frames?: ProviderFrames<Settings>
  readonly refunds?: ProviderRefunds<Settings>
  readonly webhooks?: ProviderWebhooks<Settings>

  /** Prepares to charge a stored card or account. Moves nothing. */
  prepareStoredMethodCharge(
    context: ProviderContext<Settings>,
    order: ChargeOrder,
    method: KnownMethod,
  ): Promise<PreparedCharge | NotPrepared>
  /** Prepares to charge a card that is not stored. Moves nothing. */
  prepareNewCardCharge?(context: ProviderContext<Settings>, order: ChargeOrder, card: NewCard): Promise<PreparedCharge | NotPrepared>
  /** Asks what became of an attempt. Never moves money, so it may be repeated. */
  lookUp(context: ProviderContext<Settings>, order: SentOrder): Promise<ChargeResult>
  /** Cancels an unfinished payment so that it can never move money; returns its real state if it already has. */
  cancel?(context: ProviderContext<Settings>, order: IdentifiedOrder): Promise<ChargeResult>
  /** Lists the payments between two instants, for reconciliation. */
  listPayments?(context: ProviderContext<Settings>, from: Date, to: Date): AsyncIterable<ProviderPayment>

  /** Blanks every secret of a wire transcript before it may be logged. */
  redact(transcript: string): string
}

/** A provider whose settings only it reads: the type that everybody else uses. */
export type PaymentProvider = ProviderOf<never>
