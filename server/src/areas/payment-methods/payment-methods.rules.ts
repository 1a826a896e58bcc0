import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { invalidInput } from '../../kit/api-error.ts'
import type { MethodRow } from '../../payments/methods/stored-methods.queries.ts'
import type { MethodAddress, MethodDetails } from '../../payments/providers/provider.ts'

const addressOf = (address: MethodAddress | undefined) => ({
  line1: address?.line1 ?? null,
  line2: address?.line2 ?? null,
  city: address?.city ?? null,
  postalCode: address?.postalCode ?? null,
  state: address?.state ?? null,
  country: address?.country ?? null,
})

/** A stored card as the list shows it. */
export const cardOf = ({ id, isDefault, details: shown }: MethodRow): Card => ({
  id,
  isDefault,
  sourceType: 'CC',
  address: addressOf(shown.address),
  stripeCard: {
    brand: shown.brand ?? null,
    last4: shown.last4 ?? null,
    expMonth: shown.expMonth ?? null,
    year: shown.expYear ?? null,
    name: shown.name ?? null,
  },
})

/** A stored bank account as the list shows it. */
export const bankMethodOf = ({ id, isDefault, type, status, details: shown }: MethodRow): BankMethod => ({
  id,
  isDefault,
  type,
  status,
  ...bankPart(type, shown),
  billingDetails: { name: shown.name ?? null, email: shown.email ?? null, phone: shown.phone ?? null, address: addressOf(shown.address) },
})

const bankPart = (type: string, shown: MethodDetails) => {
  const [last4, bankCode, bankName, country] = [shown.last4 ?? null, shown.bankCode ?? null, shown.bankName ?? null, shown.country ?? null]
  switch (type) {
    case 'au_becs_debit':
      return { aubecsDebit: { bsbNumber: bankCode, last4 } }
    case 'bacs_debit':
      return { bacsDebit: { sort_code: bankCode, last4 } }
    case 'sepa_debit':
      return { sepaDebit: { bank_code: bankCode, last4, country } }
    case 'us_bank_account':
      return { usbankAccount: { routing_number: bankCode, last4, bank_name: bankName } }
    default:
      return {}
  }
}

const LAST_YEAR = 2070
const WRONG_DATE = 'Please provide valid date'

interface CardChange {
  readonly stripeCard?: { readonly expMonth?: number | null; readonly year?: number | null; readonly name?: string | null }
  readonly address?: MethodAddress
}

/**
 * What is to be changed of a card.
 * @param today YYYY-MM-DD
 * @throws Refusal 400 for a date that is none, has passed or is beyond 2070
 */
export const changeOf = ({ stripeCard, address }: CardChange, today: string): MethodDetails => {
  const { expMonth, year, name } = stripeCard ?? {}
  const hasDate = typeof expMonth === 'number' || typeof year === 'number'
  if (hasDate && !isDateAhead(expMonth ?? 0, year ?? 0, today)) throw invalidInput('body.stripeCard.expMonth', WRONG_DATE)
  return {
    ...(typeof expMonth === 'number' && typeof year === 'number' ? { expMonth, expYear: year } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(address === undefined ? {} : { address }),
  }
}

const isDateAhead = (month: number, year: number, today: string): boolean => {
  const [thisYear = 0, thisMonth = 0] = today.split('-').map(Number)
  return month >= 1 && month <= 12 && year <= LAST_YEAR && (year > thisYear || (year === thisYear && month >= thisMonth))
}
