import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { invalidInput } from '../../kit/api-error.ts'
import type { MethodAddress, MethodDetails, MethodRow } from '../../payments/providers/method.ts'
import type { PaymentProvider } from '../../payments/providers/provider.ts'

/** An address in the form of the API, with null for what is missing. */
const toAddress = (address: MethodAddress | undefined) => ({
  line1: address?.line1 ?? null,
  line2: address?.line2 ?? null,
  city: address?.city ?? null,
  postalCode: address?.postalCode ?? null,
  state: address?.state ?? null,
  country: address?.country ?? null,
})

/** A stored card in the form of the API, with the fields of its provider's cards. */
export const toCard = ({ id, isDefault, details }: MethodRow, provider: PaymentProvider | undefined): Card => ({
  id,
  isDefault,
  sourceType: 'CC',
  address: toAddress(details.address),
  ...(provider?.storing.toCardResponse?.(details) ?? toDefaultCardResponse(details)),
})

/** A card's details as the field `stripeCard`, for every provider that shows cards in no form of its own. */
const toDefaultCardResponse = (details: MethodDetails): Partial<Card> => ({
  stripeCard: {
    brand: details.brand ?? null,
    last4: details.last4 ?? null,
    expMonth: details.expMonth ?? null,
    year: details.expYear ?? null,
    name: details.name ?? null,
  },
})

/** A stored bank account in the form of the API, with the field of its scheme, such as `aubecsDebit`. */
export const toBankMethod = ({ id, isDefault, type, status, details }: MethodRow): BankMethod => ({
  id,
  isDefault,
  type,
  status,
  ...toBankFields(type, details),
  billingDetails: {
    name: details.name ?? null,
    email: details.email ?? null,
    phone: details.phone ?? null,
    address: toAddress(details.address),
  },
})

/** The field of a bank account's scheme with the bank's code and last digits; no field for an unknown type. */
const toBankFields = (type: string, details: MethodDetails) => {
  const [last4, bankCode, bankName, country] = [
    details.last4 ?? null,
    details.bankCode ?? null,
    details.bankName ?? null,
    details.country ?? null,
  ]
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

const MAX_YEAR = 2070
const INVALID_DATE_TEXT = 'Please provide valid date'

interface CardUpdate {
  readonly stripeCard?: { readonly expMonth?: number | null; readonly year?: number | null; readonly name?: string | null }
  readonly address?: MethodAddress
}

/**
 * Parses the changes of a card; what is not changed is left out.
 * @param today YYYY-MM-DD
 * @throws ApiError 400 for an expiry date that is incomplete, invalid, in the past or after 2070
 */
export const parseCardUpdate = ({ stripeCard, address }: CardUpdate, today: string): MethodDetails => {
  const { expMonth, year, name } = stripeCard ?? {}
  const hasDate = typeof expMonth === 'number' || typeof year === 'number'
  if (hasDate && !isFutureMonth(expMonth ?? 0, year ?? 0, today)) throw invalidInput('body.stripeCard.expMonth', INVALID_DATE_TEXT)
  return {
    ...(typeof expMonth === 'number' && typeof year === 'number' ? { expMonth, expYear: year } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(address === undefined ? {} : { address }),
  }
}

/** Whether a card with this expiry is still valid: this month counts, and the last year is `MAX_YEAR`. */
const isFutureMonth = (month: number, year: number, today: string): boolean => {
  const [thisYear = 0, thisMonth = 0] = today.split('-').map(Number)
  return month >= 1 && month <= 12 && year <= MAX_YEAR && (year > thisYear || (year === thisYear && month >= thisMonth))
}
