import { type InvoicePayment, invoicePayment, type LinkPayer } from '@counterfoil/contract/invoice-payment'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../api/call-api.ts'
import { stayWithoutSession } from '../../api/refresh-token.ts'
import { actForCustomer, isSignedIn } from '../../api/session.ts'
import type * as signedIn from './signed-in-payment.tsx'

/** After this time the page is shown as to everybody. */
const MAX_WAIT_MS = 8_000

type SignedInModule = typeof signedIn

/** The signed-in user who may act for the invoice's customer, with what such a user needs. */
export interface SignedInPayer extends LinkPayer {
  /** What only such a user needs, loaded when it is known who pays. */
  readonly module: SignedInModule
}

/**
 * Who pays: undefined until it is known; null for everybody who is not signed in, or may not act for the invoice's customer, and when that
 * cannot be found out. Then the page is the public one.
 */
export const useLinkPayer = (
  token: string,
  invoice: Pick<InvoicePayment, 'customer' | 'paymentStatus'> | null,
): SignedInPayer | null | undefined => {
  const [payer, setPayer] = useState<SignedInPayer | null | undefined>(() => (hasSession() ? undefined : null))
  const customer = invoice?.customer
  const paymentStatus = invoice?.paymentStatus

  const askedStatus = useRef<number | null>(null)

  useEffect(() => {
    if (customer === undefined || paymentStatus === undefined || !hasSession()) return undefined
    // Ask again only when the payment has gone on.
    if (askedStatus.current === paymentStatus) return undefined
    askedStatus.current = paymentStatus
    const controller = new AbortController()
    const settle = (found: SignedInPayer | null): void => {
      // Once known, a user stays known when the payment is read again.
      if (!controller.signal.aborted) setPayer((known) => found ?? known ?? null)
      controller.abort()
    }
    const timer = setTimeout(() => settle(null), MAX_WAIT_MS)
    fetchPayer(token, customer, controller.signal).then(settle, (failure: unknown) => {
      if (!controller.signal.aborted) console.info('The page is shown as to everybody.', failure)
      settle(null)
    })
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [token, customer, paymentStatus])

  return payer
}

/** Makes this page act for the customer, and stay open when the session ends; then loads the payer and the code for signed-in users. */
const fetchPayer = async (token: string, customerId: number, signal: AbortSignal): Promise<SignedInPayer> => {
  stayWithoutSession()
  actForCustomer(customerId)
  const [payer, module] = await Promise.all([
    callApi(invoicePayment.payer, { params: { token }, signal }),
    import('./signed-in-payment.tsx'),
  ])
  return { ...payer, module }
}

/** Are tokens in the local storage? A browser that keeps nothing for pages has no session. */
const hasSession = (): boolean => {
  try {
    return isSignedIn()
  } catch {
    return false
  }
}
