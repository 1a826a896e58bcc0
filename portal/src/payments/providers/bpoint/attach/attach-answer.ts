import { ShownError } from '../../../../api/api-error.ts'

/** What the callback of BPOINT's script gets beside its code. */
export interface AttachData {
  readonly message?: unknown
  readonly details?: unknown
}

const NOT_SENT = 'Your payment method could not be sent. Please try again.'

/**
 * Checks that BPOINT's script has taken a card or an account.
 * @throws ShownError unless the code is `success`: with the first detail's message, else with the answer's message (PM-06)
 */
export const assertAttached = (code: unknown, data: AttachData | null | undefined): void => {
  if (code === 'success') return
  throw new ShownError(firstDetail(data?.details) ?? textOf(data?.message) ?? NOT_SENT)
}

/** The message of the first detail; undefined without one. */
const firstDetail = (details: unknown): string | undefined => {
  const [first] = Array.isArray(details) ? (details as readonly ({ readonly message?: unknown } | null)[]) : []
  return textOf(first?.message)
}

/** The value when it is a text that is not blank, else undefined. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
