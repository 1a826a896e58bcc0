import { invalidInput } from '../../kit/api-error.ts'
import type { Account } from '../accounts/accounts.ts'
import { createReference } from '../attempts/merchant-reference.ts'
import { createSubmission, type Submission } from '../attempts/submission.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import type { TypedMethod } from '../providers/method.ts'
import { type FrameState, readFrameState } from './frame-state.ts'

/** What was entered on the provider's own page in a frame, and the one submission of it. */
interface FramedMethod {
  readonly typedMethod: TypedMethod
  readonly submission: Submission
  /** The total that the frame was opened with. */
  readonly shownTotal: string | undefined
}

const OUT_OF_DATE_TEXT = 'This form is out of date. Please open it again.'

/**
 * What a form with a frame's signed state pays with; null where the provider has no frames. However often a frame's return arrives, it is
 * one submission.
 * @param target what is paid, as other submissions name it
 * @throws ApiError 400 for a state that was not signed here, has expired, or is of another purpose
 */
export const framedMethodOf = (
  { keys, clock }: Pick<PaymentsDeps, 'keys' | 'clock'>,
  { provider }: Pick<Account, 'provider'>,
  { state: signed, target, isFor }: { state: string | undefined; target: string; isFor: (state: FrameState) => boolean },
): FramedMethod | null => {
  if (provider.frames === undefined) return null
  const state = readFrameState(keys, signed ?? '', clock())
  if (state === undefined || !isFor(state)) throw invalidInput('body.cardToken', OUT_OF_DATE_TEXT)
  const { entryRef } = state
  const shownTotal = state.purpose === 'store' ? undefined : state.shownTotal
  return { typedMethod: { kind: 'token', token: entryRef }, submission: createSubmission(keys, target, entryRef, entryRef), shownTotal }
}

/** A new reference of what a payer will enter in a frame, in the provider's form. Stored nowhere. */
export const createFrameReference = ({ provider }: Pick<Account, 'provider'>): string =>
  createReference(provider.reference, crypto.randomUUID())
