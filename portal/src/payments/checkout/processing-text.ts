import { PROCESSING_TEXT, reviewText } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { formatLocalTime } from '../../format/format.ts'

/**
 * What whoever has paid is told while it is not known whether money moved: until when at the latest, and what can be done meanwhile. Nothing
 * else can pay before, because money may have moved.
 */
export const processingText = (payment: Pick<PaymentSummary, 'isUnderReview' | 'reference' | 'unknownOutcome'> | null): string => {
  if (payment === null) return PROCESSING_TEXT
  const { isUnderReview, reference, unknownOutcome } = payment
  if (isUnderReview) return reviewText(reference)
  if (!unknownOutcome) return PROCESSING_TEXT // a server of the version before does not tell it
  const { endsBy } = unknownOutcome
  const until =
    endsBy === null
      ? 'If the payment company does not answer, people must find out what became of it.'
      : `If nothing was charged, you can pay again from ${formatLocalTime(endsBy)} at the latest.`
  return `${PROCESSING_TEXT} ${until} To pay before that, contact support and name the reference ${reference}.`
}
