import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useCallback, useEffect, useState } from 'react'
import { clearIdempotencyKey } from '../../payments/idempotency-key.ts'
import { onPaidElsewhere } from '../../payments/payment-broadcast.ts'
import { useLateSubmit } from '../../payments/use-late-submit.ts'
import { fetchInvoicePayment } from './invoice-payment.data.ts'
import { payStatus } from './pay-status.ts'

/** How often the status of a processing payment is polled. */
const POLL_INTERVAL_MS = 5_000

interface LoadState {
  readonly invoice: InvoicePayment | null
  /** The error of the last load; null after a successful one. */
  readonly failure: unknown
  /** The last payment failed after this tab had shown it as processing, and no error has been shown for it. */
  readonly hasUnreportedFailure: boolean
}

export interface InvoiceState extends LoadState {
  /** Loads the invoice again and resolves when it is shown; null when the load fails. */
  readonly reload: () => Promise<InvoicePayment | null>
}

/** The invoice of a payment link. It is loaded again when another tab pays, while a payment is processing, and for a late submit. */
export const useInvoice = (token: string): InvoiceState => {
  const [state, setState] = useState<LoadState>({ invoice: null, failure: null, hasUnreportedFailure: false })

  const reload = useCallback(
    (signal: AbortSignal = new AbortController().signal): Promise<InvoicePayment | null> =>
      fetchInvoicePayment(token, signal).then(
        (invoice) => {
          // A failed attempt is over, even if the page was reloaded before the answer: the next submit is a new payment.
          const hadPendingSubmit = invoice.paymentStatus === INTENT_STATUS.failed && clearIdempotencyKey(invoice.uid)
          setState((previous) => ({
            invoice,
            failure: null,
            hasUnreportedFailure: hadPendingSubmit || hasFailedUnreported(previous, invoice),
          }))
          return invoice
        },
        (failure: unknown) => {
          // Keep showing the invoice that was loaded before.
          if (!signal.aborted) setState((previous) => ({ ...previous, failure }))
          return null
        },
      ),
    [token],
  )

  useEffect(() => {
    const controller = new AbortController()
    void reload(controller.signal)
    return () => controller.abort()
  }, [reload])
  useEffect(() => onPaidElsewhere(() => void reload()), [reload])
  useLateSubmit(token, reload)

  const isConfirming = state.invoice !== null && payStatus(state.invoice)?.isConfirming === true
  useEffect(() => {
    if (!isConfirming) return undefined
    const timer = setInterval(() => void reload(), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isConfirming, reload])

  return { ...state, reload: () => reload() }
}

/** True when a payment failed that this page has shown as processing. */
const hasFailedUnreported = (
  { invoice: previous, hasUnreportedFailure: isUntold }: LoadState,
  { paymentStatus }: InvoicePayment,
): boolean => paymentStatus === INTENT_STATUS.failed && (isUntold || previous?.paymentStatus === INTENT_STATUS.processing)
