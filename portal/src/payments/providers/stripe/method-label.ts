import { cardLabel, methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'

/** A card's label: "Visa •••• 4242". */
export const cardTitle = ({ stripeCard }: Pick<Card, 'stripeCard'>): string => cardLabel(stripeCard ?? {})

/** A card's expiry as "04/2028"; empty when unknown. */
export const cardExpiry = ({ stripeCard }: Pick<Card, 'stripeCard'>): string => {
  const { expMonth, year } = stripeCard ?? {}
  return expMonth && year ? `${String(expMonth).padStart(2, '0')}/${year}` : ''
}

/** A bank account's label: the bank's number and the last digits of the account. */
export const bankTitle = ({ aubecsDebit, bacsDebit, sepaDebit, usbankAccount }: BankMethod): string => {
  if (aubecsDebit) return methodLabel('au_becs_debit', { bankCode: aubecsDebit.bsbNumber, last4: aubecsDebit.last4 })
  if (bacsDebit) return methodLabel('bacs_debit', { bankCode: bacsDebit.sort_code, last4: bacsDebit.last4 })
  if (sepaDebit) return methodLabel('sepa_debit', { bankCode: sepaDebit.bank_code, last4: sepaDebit.last4, country: sepaDebit.country })
  if (usbankAccount) {
    const { routing_number, bank_name, last4 } = usbankAccount
    return methodLabel('us_bank_account', { bankCode: routing_number, bankName: bank_name, last4 })
  }
  return methodLabel('', {})
}
