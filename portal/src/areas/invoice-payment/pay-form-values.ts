import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { missingAddress } from '../../payments/checkout/missing-address.ts'
import { isEmail } from '../../ui/form/is-email.ts'

/** The values of the form's fields beside the card, under the names of the request. */
export interface PayFormValues {
  readonly cardHolder: string
  readonly email: string
  readonly address: string
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly company: string
}

export const EMPTY_VALUES: PayFormValues = {
  cardHolder: '',
  email: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  company: '',
}

type RequiredFields = Pick<InvoicePayment, 'requiredCardHolder' | 'requiredBillingAddress' | 'requiredEmail'>

/**
 * What is not filled in yet, or not right, in words and in the order of the form; nothing when the invoice can be paid (SP-02).
 * @param card what is missing of the card
 */
export const missingFields = (
  values: PayFormValues,
  { requiredCardHolder, requiredBillingAddress, requiredEmail }: RequiredFields,
  card: readonly string[],
): readonly string[] => {
  const hasEmail = isEmail(values.email) || (!requiredEmail && values.email.trim() === '')
  const email = hasEmail ? [] : [values.email === '' ? 'email' : 'a valid email']
  return [
    ...(requiredCardHolder && values.cardHolder.trim() === '' ? ['name on card'] : []),
    ...card,
    ...(requiredEmail ? email : []),
    ...(requiredBillingAddress ? missingAddress(values) : []),
    ...(requiredEmail ? [] : email),
  ]
}

/**
 * The fields of the request beside the card's token, trimmed (SP-03). An empty card holder and email are left out. The billing address goes
 * along only where the reseller requires one, then with its empty fields.
 */
export const toRequestFields = (values: PayFormValues, { requiredBillingAddress }: Pick<RequiredFields, 'requiredBillingAddress'>) => {
  const { cardHolder, email, ...billing } = values
  const billingAddress = Object.fromEntries(Object.entries(billing).map(([name, text]) => [name, text.trim()]))
  return {
    ...(cardHolder.trim() !== '' && { cardHolder: cardHolder.trim() }),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(requiredBillingAddress && { billingAddress }),
  }
}
