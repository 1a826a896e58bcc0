import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** A card as people know it: "Visa •••• 4242". */
export const cardTitle = ({ stripeCard }: Pick<Card, 'stripeCard'>): string => {
  const brand = stripeCard?.brand?.toLowerCase() ?? ''
  return masked(BRANDS[brand] ?? 'Card', stripeCard?.last4)
}

/** When a card ends, as "04/2028"; empty where nobody knows. */
export const cardExpiry = ({ stripeCard }: Pick<Card, 'stripeCard'>): string => {
  const { expMonth, year } = stripeCard ?? {}
  return expMonth && year ? `${String(expMonth).padStart(2, '0')}/${year}` : ''
}

/** A bank account as people know it: its bank's number and the last digits of its own. */
export const bankTitle = ({ aubecsDebit, bacsDebit, sepaDebit, usbankAccount }: BankMethod): string => {
  if (aubecsDebit) return masked(`BSB ${aubecsDebit.bsbNumber ?? ''}`.trim(), aubecsDebit.last4)
  if (bacsDebit) return masked(`Sort code ${bacsDebit.sort_code ?? ''}`.trim(), bacsDebit.last4)
  if (sepaDebit) return masked(`${sepaDebit.country ?? ''} ${sepaDebit.bank_code ?? ''}`.trim() || 'IBAN', sepaDebit.last4)
  if (usbankAccount)
    return masked(usbankAccount.bank_name ?? `Routing number ${usbankAccount.routing_number ?? ''}`.trim(), usbankAccount.last4)
  return 'Bank account'
}

const masked = (name: string, last4: string | null | undefined): string => (last4 ? `${name} •••• ${last4}` : name)
