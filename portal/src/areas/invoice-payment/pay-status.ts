import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import { panelOf } from '../../payments/providers/registry.ts'
import { INTENT_STATUS } from '@counterfoil/contract/kit/payments/payment-status'
import { processingText } from '../../payments/checkout/processing-text.ts'

type PayableInvoice = Pick<
  InvoicePayment,
  'invoiceAmount' | 'invoiceStatus' | 'isCredited' | 'paymentType' | 'isFrame' | 'apiStatus' | 'paymentStatus' | 'payment'
>

/** The text shown in place of the form, and whether the payment's status is polled. */
export interface PayStatus {
  readonly text: string
  readonly tone: 'good' | 'plain' | 'bad'
  readonly isConfirming?: true
}

const toPayStatus = (text: string, tone: PayStatus['tone'] = 'plain'): PayStatus => ({ text, tone })

/**
 * The status shown in place of the form; null when the invoice can be paid here (SP-01, SP-06).
 * @param wasFormShown the form was open before, so the invoice was paid meanwhile
 */
export const payStatus = (invoice: PayableInvoice, wasFormShown = false): PayStatus | null => {
  if (invoice.paymentType === PAYMENT_TYPES.none) return toPayStatus('Payment page not available')
  if (invoice.isCredited && invoice.invoiceAmount < 0) return toPayStatus('This is a credit note. There is nothing to pay.')
  if (invoice.isCredited || invoice.invoiceStatus === INVOICE_STATUS.credited)
    return toPayStatus('The invoice has been credited. No further payments required.')
  if (invoice.invoiceStatus === INVOICE_STATUS.paid)
    return toPayStatus(
      wasFormShown ? 'This invoice has already been paid' : 'The invoice has already been paid. No further payments required.',
      'good',
    )
  if (invoice.paymentStatus === INTENT_STATUS.processing)
    return { text: processingText(invoice.payment), tone: 'plain', isConfirming: true }
  if (invoice.invoiceStatus === INVOICE_STATUS.inCollection)
    return toPayStatus('A payment of this invoice is being collected by direct debit. No further payments required.')
  if (invoice.invoiceAmount <= 0) return toPayStatus('No payment is required.')
  if (!invoice.apiStatus)
    return toPayStatus(
      'Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
      'bad',
    )
  const panel = panelOf(invoice.paymentType)
  if ((invoice.isFrame ? panel?.loadFrame : panel?.loadCardEntry) === undefined) return toPayStatus('Payment page not available')
  return null
}
