import type { ChargePermit } from './charge-permit.ts'
import type { MethodSummary } from './method.ts'
import type { ChargeResult } from './charge-result.ts'

/** Why a charge ends before anything was sent that moves money. */
export type NotPrepared = Extract<ChargeResult, { state: 'declined' | 'not_sent' }>

/** A charge that is ready and has moved nothing. The engine stores what it is found by before it sends it. */
export interface PreparedCharge {
  /**
   * What the provider finds it by before it answers: its own id, where it has given one, or our reference in the place of that. Null where
   * only its lists show our reference.
   */
  readonly providerRef: string | null
  /** What may be shown of the card or account, where it is known. */
  readonly method?: MethodSummary | undefined
  /** Makes the one call that moves money, never twice. */
  submit(permit: ChargePermit): Promise<ChargeAnswer>
  /** Removes what the preparation left at the provider, when nothing was sent. */
  discard?(): Promise<unknown>
}

/** The answer to a charge, with what may be shown of a card that only the answer tells of. */
export type ChargeAnswer = ChargeResult & { readonly method?: MethodSummary | undefined }
