import type { Decline, RejectionReason } from './provider.ts'

/** What a payment is over, and whether a bank account pays it. */
interface PaymentWords {
  readonly currency: string
  readonly isDebit: boolean
}

const wayToPay = (isDebit: boolean): string => (isDebit ? 'from a bank account' : 'by card')

/** The words for an amount below the smallest that the provider charges. */
export const amountTooSmallText = (isDebit: boolean): string =>
  `This amount is too small to be paid ${wayToPay(isDebit)}. Pay it together with your next invoice.`

/** The words for an amount above the largest that the provider charges. */
export const amountTooLargeText = (isDebit: boolean): string =>
  `This amount is too large to be paid ${wayToPay(isDebit)}. Please contact support.`

/** The words for a currency that cannot be charged. */
export const currencyNotAcceptedText = (currency: string): string => `Payments in ${currency} are not possible here.`

/** What a payer is told of a refusal, unless the provider has words of its own for people. */
export const REJECTION_TEXTS: Readonly<Record<RejectionReason, string>> = {
  amount_too_small: amountTooSmallText(false),
  amount_too_large: amountTooLargeText(false),
  amount_not_accepted: 'This amount cannot be paid here. Please contact support.',
  currency_not_accepted: currencyNotAcceptedText('this currency'),
  method_gone: 'This payment method cannot be used any more. Please use another one.',
  enter_again: 'The payment method could not be read. Please enter it again.',
  not_accepted: 'The payment could not be made. Please try another payment method, or contact support.',
  not_configured: 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
  try_again: 'The payment could not be made. Please try again later.',
}

/** Whether the provider says nothing against the payer's card or account: it counts against nobody, and is no decline. */
export const isRejectedRequest = (reason: string | null): reason is RejectionReason =>
  reason !== null && Object.hasOwn(REJECTION_TEXTS, reason)

/** What the payer is told. Of an amount or a currency the words are ours, because providers write theirs for developers. */
export const payerText = ({ reason, userMessage }: Decline, { currency, isDebit }: PaymentWords): string => {
  switch (reason) {
    case 'amount_too_small':
      return amountTooSmallText(isDebit)
    case 'amount_too_large':
      return amountTooLargeText(isDebit)
    case 'amount_not_accepted':
      return REJECTION_TEXTS.amount_not_accepted
    case 'currency_not_accepted':
      return currencyNotAcceptedText(currency)
    default:
      return userMessage
  }
}
