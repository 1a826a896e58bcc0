import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { useCallback, useEffect, useState } from 'react'
import { onPaid } from '../../shell/pay-watch.ts'
import { paymentDetails } from './invoice-payment.data.ts'
import { payStatus } from './pay-status.ts'

/** How often a payment that is being confirmed is asked about. */
const CONFIRMING_MS = 5_000

interface Loaded {
  readonly invoice: InvoicePayment | null
  /** Why it could not be loaded the last time; null while nothing is wrong. */
  readonly failure: unknown
}

export interface KnownInvoice extends Loaded {
  /** Asks the server again, and resolves when the page shows what it said; null where the server cannot be asked. */
  readonly ask: () => Promise<InvoicePayment | null>
}

/** The invoice of a link: loaded, and loaded again when another tab pays something and while a payment is being confirmed. */
export const useInvoice = (token: string): KnownInvoice => {
  const [loaded, setLoaded] = useState<Loaded>({ invoice: null, failure: null })

  const ask = useCallback(
    (signal: AbortSignal = new AbortController().signal): Promise<InvoicePayment | null> =>
      paymentDetails(token, signal).then(
        (invoice) => {
          setLoaded({ invoice, failure: null })
          return invoice
        },
        (failure: unknown) => {
          // What is known of the invoice stays.
          if (!signal.aborted) setLoaded(({ invoice }) => ({ invoice, failure }))
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
