/** The details that identify a card or bank account to its owner, never a whole number. */
export interface MethodDetails {
  readonly brand?: string | null | undefined
  readonly last4?: string | null | undefined
  /** The provider's own mask, where it does not tell the last four digits. */
  readonly maskedNumber?: string | null | undefined
  /** BSB, sort code, routing number, bank code. */
  readonly bankCode?: string | null | undefined
  readonly bankName?: string | null | undefined
  readonly country?: string | null | undefined
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** The label of a card: "Visa •••• 4242", or "Visa 498765...769" with the provider's own mask. */
export const cardLabel = ({ brand, last4, maskedNumber }: MethodDetails): string => {
  const name = BRANDS[brand?.toLowerCase() ?? ''] ?? 'Card'
  return !last4 && maskedNumber ? `${name} ${maskedNumber}` : withLast4(name, last4)
}

/** The label of a payment method by the provider's type: a card's brand, or a bank's number or name, and the last digits. */
export const methodLabel = (type: string, facts: MethodDetails): string => {
  const { bankCode, bankName, country, last4 } = facts
  switch (type) {
    case 'card':
      return cardLabel(facts)
    case 'au_becs_debit':
      return withLast4(withNumber('BSB', bankCode), last4)
    case 'bacs_debit':
      return withLast4(withNumber('Sort code', bankCode), last4)
    case 'sepa_debit':
      return withLast4(`${country ?? ''} ${bankCode ?? ''}`.trim() || 'IBAN', last4)
    case 'us_bank_account':
      return withLast4(bankName ?? withNumber('Routing number', bankCode), last4)
    default:
      return withLast4('Bank account', last4)
  }
}

/** The name and the number behind it, as in "BSB 062000"; the name alone without a number. */
const withNumber = (name: string, number: string | null | undefined): string => `${name} ${number ?? ''}`.trim()

/** The name and the last digits behind it, as in "Visa •••• 4242"; the name alone without digits. */
const withLast4 = (name: string, last4: string | null | undefined): string => (last4 ? `${name} •••• ${last4}` : name)
