import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { isPossiblyStale, methodErrorText } from '../../payments/payment-error.ts'
import { broadcastPaid } from '../../payments/payment-broadcast.ts'
import type { SavedMethod } from '../../payments/providers/panel.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { NAVIGATING, type Submission, useSubmit } from '../../ui/form/use-submit.ts'
import { payWithStoredMethod } from './invoice-payment.data.ts'

interface StoredPaymentOptions {
  readonly token: string
  readonly invoice: InvoicePayment
  readonly total: string
  readonly initialError: string | null
  readonly onPayment: (payment: PaymentSummary | null, email: string, isPaid: boolean) => void
  readonly onRedirect: (payment: PaymentSummary | null, total: string, email: string) => void
  readonly reloadInvoice: () => Promise<unknown>
}

export interface StoredPayment extends Omit<Submission, 'submit'> {
  readonly pay: (method: SavedMethod, email: string) => void
}

/** Pays the invoice with a stored method, and goes on as the server answers. */
export const useStoredPayment = (options: StoredPaymentOptions): StoredPayment => {
  const { token, invoice, total, initialError, onPayment, onRedirect, reloadInvoice } = options
  const { submit, ...state } = useSubmit(methodErrorText, 0, initialError)

  const payOnce = async ({ id: cardId, type }: SavedMethod, email: string): Promise<unknown> => {
    try {
      const { status, redirectToUrl, payment } = await payWithStoredMethod(token, invoice, { cardId, type, ...(email !== '' && { email }) })
      if (status === 'requires_action') {
        const url = safeRedirect(redirectToUrl, invoice.scriptUrl)
        if (url === null) throw new Error('The confirmation page of your bank cannot be opened. Please contact support.')
        onRedirect(payment, total, email)
        location.assign(url)
        return NAVIGATING
      }
      onPayment(payment, email, status === 'succeeded')
      if (status === 'succeeded') broadcastPaid()
      return await reloadInvoice()
    } catch (failure) {
      // Only the server knows whether money moved.
      if (isPossiblyStale(failure)) await reloadInvoice()
      throw failure
    }
  }
  return { ...state, pay: (method, email) => submit(() => payOnce(method, email)) }
}
