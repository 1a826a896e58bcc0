/** The details that identify a card or bank account to its owner, never a whole number. */
export interface MethodDetails {
  readonly brand?: string | null | undefined
  readonly last4?: string | null | undefined
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

/** The label of a card: "Visa •••• 4242". */
export const cardLabel = ({ brand, last4 }: MethodDetails): string => maskedNumber(BRANDS[brand?.toLowerCase() ?? ''] ?? 'Card', last4)

/** The label of a method of a provider's type: a card's brand or a bank's number, and the last digits. */
export const methodLabel = (type: string, facts: MethodDetails): string => {
  const { bankCode, bankName, country, last4 } = facts
  switch (type) {
    case 'card':
      return cardLabel(facts)
    case 'au_becs_debit':
      return maskedNumber(withNumber('BSB', bankCode), last4)
    case 'bacs_debit':
      return maskedNumber(withNumber('Sort code', bankCode), last4)
    case 'sepa_debit':
      return maskedNumber(`${country ?? ''} ${bankCode ?? ''}`.trim() || 'IBAN', last4)
    case 'us_bank_account':
      return maskedNumber(bankName ?? withNumber('Routing number', bankCode), last4)
    default:
      return maskedNumber('Bank account', last4)
  }
}

const withNumber = (name: string, number: string | null | undefined): string => `${name} ${number ?? ''}`.trim()

const maskedNumber = (name: string, last4: string | null | undefined): string => (last4 ? `${name} •••• ${last4}` : name)
