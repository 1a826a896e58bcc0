import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
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

const REQUIRED_BILLING_FIELDS = ['address', 'city', 'state', 'zip', 'country'] as const

type RequiredFields = Pick<InvoicePayment, 'requiredCardHolder' | 'requiredBillingAddress' | 'requiredEmail'>

/** True when every required field beside the card is filled in (SP-02). */
export const isComplete = (
  values: PayFormValues,
  { requiredCardHolder, requiredBillingAddress, requiredEmail }: RequiredFields,
): boolean => {
  const hasHolder = !requiredCardHolder || values.cardHolder.trim() !== ''
  const hasAddress = !requiredBillingAddress || REQUIRED_BILLING_FIELDS.every((field) => values[field].trim() !== '')
  const hasEmail = isEmail(values.email) || (!requiredEmail && values.email.trim() === '')
  return hasHolder && hasAddress && hasEmail
}

/** The fields of the request beside the card's token. Empty fields are left out (SP-03). */
export const toRequestFields = (values: PayFormValues, { requiredBillingAddress }: Pick<RequiredFields, 'requiredBillingAddress'>) => {
  const { cardHolder, email, ...billing } = values
  const billingAddress = Object.fromEntries(Object.entries(billing).map(([name, text]) => [name, text.trim()]))
  return {
    ...(cardHolder.trim() !== '' && { cardHolder: cardHolder.trim() }),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(requiredBillingAddress && { billingAddress }),
  }
}
