import { PROCESSING_TEXT, reviewText } from '@counterfoil/contract/kit/payments/payment-status'
import type { PendingPayment } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatLocalTime } from '../../format/format.ts'

/**
 * `text`, and after it until when a payment without an outcome is decided at the latest, and that support can help before. A payment under
 * review has a text of its own; without a payment, `text` alone.
 * @param text says that it is not known whether money moved, in the words of the place
 */
export const processingText = (payment: PendingPayment | null | undefined, text: string = PROCESSING_TEXT): string => {
  if (!payment) return text
  const { isUnderReview, reference, unknownOutcome } = payment
  if (isUnderReview) return reviewText(reference)
  if (!unknownOutcome) return text // a server of the version before does not tell it
  const { endsBy } = unknownOutcome
  const until =
    endsBy === null
      ? 'If the payment company does not answer, people must find out what became of it.'
      : `If nothing was charged, you can pay again from ${formatLocalTime(endsBy)} at the latest.`
  return `${text} ${until} To pay before that, contact support and name the reference ${reference}.`
}
