import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useCallback, useEffect, useState } from 'react'
import { endFailedPayment, readSentPayment } from '../../payments/outcome/sent-payment.ts'
import { READ_TIMEOUT_MS, useAskAgain } from '../../payments/outcome/use-ask-again.ts'
import { useLatePayment } from '../../payments/outcome/use-late-payment.ts'
import type { PaymentStanding } from '../../payments/outcome/use-payment-outcome.ts'
import { onPaidElsewhere } from '../../payments/outcome/payment-broadcast.ts'
import { fetchInvoicePayment } from './invoice-payment.data.ts'
import { payStatus } from './pay-status.ts'

interface LoadState {
  readonly invoice: InvoicePayment | null
  /** The error of the last load; null after a successful one. */
  readonly failure: unknown
  /** The last payment failed after this tab had shown it as processing, and no error has been shown for it. */
  readonly hasUnreportedFailure: boolean
}

export interface InvoiceState extends LoadState {
  /** This tab has sent a payment, and nobody has answered how the invoice stands. */
  readonly isUnanswered: boolean
  /** Loads the invoice again and resolves when it is shown; null when the load fails. */
  readonly readStanding: () => Promise<PaymentStanding | null>
  /** Shows what the server has answered to a payment. */
  readonly showPayment: (changes: Pick<InvoicePayment, 'paymentStatus' | 'payment'>) => void
}

/**
 * The invoice of a payment link. It is loaded again when another tab pays, while a payment is processing or has no answer, and for one
 * that was sent before a reload.
 * @param isBackFromBank the browser comes back from confirming a payment
 */
export const useInvoice = (token: string, isBackFromBank: boolean): InvoiceState => {
  const [state, setState] = useState<LoadState>({ invoice: null, failure: null, hasUnreportedFailure: false })

  const load = useCallback(
    (signal: AbortSignal): Promise<PaymentStanding | null> =>
      fetchInvoicePayment(token, signal).then(
        (invoice) => {
          const { uid, paymentStatus: status, paymentError: error, lastPaymentId } = invoice
          // A failed attempt is over, even if the page was reloaded before the answer: the next submit is a new payment.
          const hadSentPayment = status === INTENT_STATUS.failed && endFailedPayment(uid, lastPaymentId)
          setState((previous) => ({
            invoice,
            failure: null,
            hasUnreportedFailure: hadSentPayment || hasFailedUnreported(previous, invoice),
          }))
          return { status, error, lastPaymentId }
        },
        (failure: unknown) => {
          // Keep showing the invoice that was loaded before.
          if (!signal.aborted) setState((previous) => ({ ...previous, failure }))
          return null
        },
      ),
    [token],
  )
  const readStanding = useCallback(() => load(AbortSignal.timeout(READ_TIMEOUT_MS)), [load])

  useEffect(() => {
    const controller = new AbortController()
    void load(controller.signal)
    return () => controller.abort()
  }, [load])
  useEffect(() => onPaidElsewhere(() => void readStanding()), [readStanding])
  useLatePayment(token, readStanding)

  const { invoice, failure } = state
  const isUnanswered = invoice === null && failure !== null && (isBackFromBank || readSentPayment(token) !== null)
  const isConfirming = invoice !== null && payStatus(invoice)?.isConfirming === true
  useAskAgain(isConfirming || isUnanswered ? readStanding : null)

  const showPayment: InvoiceState['showPayment'] = (changes) =>
    setState((previous) => ({ ...previous, invoice: previous.invoice && { ...previous.invoice, ...changes } }))
  return { ...state, isUnanswered, readStanding, showPayment }
}

/** True when a payment failed that this page has shown as processing. */
const hasFailedUnreported = (
  { invoice: previous, hasUnreportedFailure: isUntold }: LoadState,
  { paymentStatus }: InvoicePayment,
): boolean => paymentStatus === INTENT_STATUS.failed && (isUntold || previous?.paymentStatus === INTENT_STATUS.processing)
