import { ShownError } from '../../../../api/api-error.ts'

/** What the callback of BPOINT's script gets beside its code. */
export interface AttachData {
  readonly message?: unknown
  readonly details?: unknown
}

const NOT_SENT = 'Your payment method could not be sent. Please try again.'

/**
 * Checks what BPOINT's script says of a card or an account.
 * @throws ShownError with the first detail message, else with the message (PM-06)
 */
export const assertAttached = (code: unknown, data: AttachData | null | undefined): void => {
  if (code === 'success') return
  throw new ShownError(firstDetail(data?.details) ?? textOf(data?.message) ?? NOT_SENT)
}

const firstDetail = (details: unknown): string | undefined => {
  const [first] = Array.isArray(details) ? (details as readonly ({ readonly message?: unknown } | null)[]) : []
  return textOf(first?.message)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
