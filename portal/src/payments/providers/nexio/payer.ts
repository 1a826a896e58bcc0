import type { NexioCard } from '@counterfoil/contract/providers/nexio'
import { neededField } from '../../checkout/needed-field.ts'
import { isEmailOrEmpty } from '../../checkout/receipt-email.tsx'
import { missingNames } from './missing-payer.ts'

/** Who pays with a card, under the names of the API. */
export interface Payer {
  readonly payerFirstName: string
  readonly payerLastName: string
  readonly billingAddress: string
  readonly billingAddress2: string
  readonly billingPhone: string
  readonly shippingAddress: string
  readonly shippingPhone: string
  readonly country: string
  readonly state: string
  readonly zip: string
  readonly email: string
}

export const EMPTY_PAYER: Payer = {
  payerFirstName: '',
  payerLastName: '',
  billingAddress: '',
  billingAddress2: '',
  billingPhone: '',
  shippingAddress: '',
  shippingPhone: '',
  country: '',
  state: '',
  zip: '',
  email: '',
}

type Stored = NonNullable<NexioCard['nexioCard']>['customer']

/** A stored payer as the values of the fields. */
export const toPayer = (customer: Stored | undefined): Payer => {
  const given = Object.entries(customer ?? {}).flatMap(([name, text]) => (text === null ? [] : [[name, text]]))
  return { ...EMPTY_PAYER, ...Object.fromEntries(given) }
}

/** What every card needs beside its holder and is not filled in yet, or not right (PM-50). */
export const missingOfPayer = (payer: Payer): readonly (string | false)[] => [
  ...missingNames(payer),
  neededField('shipping address', payer.shippingAddress),
  !isEmailOrEmpty(payer.email) && 'a valid email',
]

/** The payer without blanks around what was typed. */
export const trimmedPayer = (payer: Payer): Payer => {
  const trimmed = Object.entries(payer).map(([name, text]: [string, string]) => [name, text.trim()])
  return { ...EMPTY_PAYER, ...Object.fromEntries(trimmed) }
}
