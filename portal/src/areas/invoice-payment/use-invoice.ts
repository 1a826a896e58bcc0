import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useCallback, useEffect, useState } from 'react'
import { clearIdempotencyKey } from '../../payments/idempotency-key.ts'
import { onPaidElsewhere } from '../../payments/payment-broadcast.ts'
import { fetchInvoicePayment } from './invoice-payment.data.ts'
import { payStatus } from './pay-status.ts'

/** How often a payment that is being confirmed is asked about. */
const POLL_INTERVAL_MS = 5_000

interface LoadState {
  readonly invoice: InvoicePayment | null
  /** Why it could not be loaded the last time; null while nothing is wrong. */
  readonly failure: unknown
  /** The last payment failed, and this tab, which waited for it, was told nothing when it did. */
  readonly hasUnreportedFailure: boolean
}

export interface InvoiceState extends LoadState {
  /** Asks the server again, and resolves when the page shows what it said; null where the server cannot be asked. */
  readonly reload: () => Promise<InvoicePayment | null>
}

/** The invoice of a link: loaded, and loaded again when another tab pays something and while a payment is being confirmed. */
export const useInvoice = (token: string): InvoiceState => {
  const [state, setState] = useState<LoadState>({ invoice: null, failure: null, hasUnreportedFailure: false })

  const reload = useCallback(
    (signal: AbortSignal = new AbortController().signal): Promise<InvoicePayment | null> =>
      fetchInvoicePayment(token, signal).then(
        (invoice) => {
          // What failed is over, also where the page was loaded anew before it heard of it: the next press is a new one.
          const hadPendingSubmit = invoice.paymentStatus === INTENT_STATUS.failed && clearIdempotencyKey(invoice.uid)
          setState((previous) => ({
            invoice,
            failure: null,
            hasUnreportedFailure: hadPendingSubmit || hasFailedUnreported(previous, invoice),
          }))
          return invoice
        },
        (failure: unknown) => {
          // What is known of the invoice stays.
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

  const isConfirming = state.invoice !== null && payStatus(state.invoice)?.isConfirming === true
  useEffect(() => {
    if (!isConfirming) return undefined
    const timer = setInterval(() => void reload(), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isConfirming, reload])

  return { ...state, reload: () => reload() }
}

/** Has a payment failed that this page has shown as being confirmed? */
const hasFailedUnreported = (
  { invoice: previous, hasUnreportedFailure: isUntold }: LoadState,
  { paymentStatus }: InvoicePayment,
): boolean => paymentStatus === INTENT_STATUS.failed && (isUntold || previous?.paymentStatus === INTENT_STATUS.processing)
