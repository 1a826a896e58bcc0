import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { isEmail } from '../../ui/form/is-email.ts'

/** What is typed into the form beside the card, by the names under which it is sent. */
export interface Typed {
  readonly cardHolder: string
  readonly email: string
  readonly address: string
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly company: string
}

export const NOTHING_TYPED: Typed = { cardHolder: '', email: '', address: '', city: '', state: '', zip: '', country: '', company: '' }

const BILLING = ['address', 'city', 'state', 'zip', 'country'] as const

type Rules = Pick<InvoicePayment, 'requiredCardHolder' | 'requiredBillingAddress'>

/** Is everything there that the reseller wants beside the card? (payments.md §5, Payment form) */
export const isFilledIn = (typed: Typed, { requiredCardHolder, requiredBillingAddress }: Rules): boolean => {
  const hasHolder = !requiredCardHolder || typed.cardHolder.trim() !== ''
  const hasAddress = !requiredBillingAddress || BILLING.every((field) => typed[field].trim() !== '')
  return hasHolder && hasAddress && (typed.email.trim() === '' || isEmail(typed.email))
}

/** What the form sends beside the card's token; what was left empty is left out. */
export const sentFields = (typed: Typed, { requiredBillingAddress }: Rules) => {
  const { cardHolder, email, ...billing } = typed
  const billingAddress = Object.fromEntries(Object.entries(billing).map(([name, text]) => [name, text.trim()]))
  return {
    ...(cardHolder.trim() !== '' && { cardHolder: cardHolder.trim() }),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(requiredBillingAddress && { billingAddress }),
  }
}
