import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { cardExpiry } from './method-label.ts'

/** A line of an expanded row. */
export interface Fact {
  readonly label: string
  readonly value: string
}

type Address = NonNullable<Card['address']>

/** A fact, or "No … provided" when the value is missing (PM-02). */
const fact = (label: string, value: string | null | undefined, missing = label): Fact => ({
  label,
  value: value?.trim() || `No ${missing} provided`,
})

const addressFacts = (address: Address | undefined): readonly Fact[] => [
  fact('Address 1', address?.line1),
  fact('Address 2', address?.line2),
  fact('City', address?.city, 'city'),
  fact('State', address?.state, 'state'),
  fact('Postal code', address?.postalCode, 'postal code'),
  fact('Country', address?.country, 'country'),
]

/** The facts in the expanded row of a card. */
export const cardFacts = (card: Card): readonly Fact[] => [
  fact('Name', card.stripeCard?.name, 'name'),
  fact('Expires', cardExpiry(card), 'expiry date'),
  ...addressFacts(card.address),
]

/** The facts in the expanded row of a bank account. */
export const bankFacts = (method: BankMethod): readonly Fact[] => [
  fact('Name', method.billingDetails.name, 'name'),
  fact('Email', method.billingDetails.email, 'email'),
  fact('Phone', method.billingDetails.phone, 'phone'),
  ...numberFacts(method),
  ...addressFacts(method.billingDetails.address),
]

const numberFacts = ({ aubecsDebit, bacsDebit, sepaDebit, usbankAccount }: BankMethod): readonly Fact[] => {
  if (aubecsDebit) return [fact('BSB', aubecsDebit.bsbNumber), accountFact(aubecsDebit.last4)]
  if (bacsDebit) return [fact('Sort code', bacsDebit.sort_code, 'sort code'), accountFact(bacsDebit.last4)]
  if (sepaDebit) return [fact('Bank code', sepaDebit.bank_code, 'bank code'), accountFact(sepaDebit.last4)]
  if (usbankAccount) return [fact('Routing number', usbankAccount.routing_number, 'routing number'), accountFact(usbankAccount.last4)]
  return []
}

const accountFact = (last4: string | null | undefined): Fact => fact('Account', last4 ? `•••• ${last4}` : null, 'account number')
