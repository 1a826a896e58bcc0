import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { useCallback, useEffect, useState } from 'react'
import { dropPayKey } from '../../payments/idempotency-key.ts'
import { onPaid } from '../../payments/payment-broadcast.ts'
import { paymentDetails } from './invoice-payment.data.ts'
import { payStatus } from './pay-status.ts'

/** How often a payment that is being confirmed is asked about. */
const CONFIRMING_MS = 5_000

interface Loaded {
  readonly invoice: InvoicePayment | null
  /** Why it could not be loaded the last time; null while nothing is wrong. */
  readonly failure: unknown
  /** The last payment failed, and this tab, which waited for it, was told nothing when it did. */
  readonly isUntold: boolean
}

export interface KnownInvoice extends Loaded {
  /** Asks the server again, and resolves when the page shows what it said; null where the server cannot be asked. */
  readonly ask: () => Promise<InvoicePayment | null>
}

/** The invoice of a link: loaded, and loaded again when another tab pays something and while a payment is being confirmed. */
export const useInvoice = (token: string): KnownInvoice => {
  const [loaded, setLoaded] = useState<Loaded>({ invoice: null, failure: null, isUntold: false })

  const ask = useCallback(
    (signal: AbortSignal = new AbortController().signal): Promise<InvoicePayment | null> =>
      paymentDetails(token, signal).then(
        (invoice) => {
          // What failed is over, also where the page was loaded anew before it heard of it: the next press is a new one.
          const wasPressed = invoice.paymentStatus === INTENT_STATUS.failed && dropPayKey(invoice.uid)
          setLoaded((before) => ({ invoice, failure: null, isUntold: wasPressed || hasFailedUntold(before, invoice) }))
          return invoice
        },
        (failure: unknown) => {
          // What is known of the invoice stays.
          if (!signal.aborted) setLoaded((before) => ({ ...before, failure }))
          return null
        },
      ),
    [token],
  )

  useEffect(() => {
    const stop = new AbortController()
    void ask(stop.signal)
    return () => stop.abort()
  }, [ask])
  useEffect(() => onPaid(() => void ask()), [ask])

  const isConfirming = loaded.invoice !== null && payStatus(loaded.invoice)?.isConfirming === true
  useEffect(() => {
    if (!isConfirming) return undefined
    const timer = setInterval(() => void ask(), CONFIRMING_MS)
    return () => clearInterval(timer)
  }, [isConfirming, ask])

  return { ...loaded, ask: () => ask() }
}

/** Has a payment failed that this page has shown as being confirmed? */
const hasFailedUntold = ({ invoice: before, isUntold }: Loaded, { paymentStatus }: InvoicePayment): boolean =>
  paymentStatus === INTENT_STATUS.failed && (isUntold || before?.paymentStatus === INTENT_STATUS.processing)
