import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { addressFacts, type Fact, toFact } from '../../methods/method-facts.ts'
import { cardExpiry } from './method-label.ts'

/** The facts in the expanded row of a card. */
export const cardFacts = (card: Card): readonly Fact[] => [
  toFact('Name', card.stripeCard?.name, 'name'),
  toFact('Expires', cardExpiry(card), 'expiry date'),
  ...addressFacts(card.address),
]

/** The facts in the expanded row of a bank account. */
export const bankFacts = (method: BankMethod): readonly Fact[] => [
  toFact('Name', method.billingDetails.name, 'name'),
  toFact('Email', method.billingDetails.email, 'email'),
  toFact('Phone', method.billingDetails.phone, 'phone'),
  ...accountNumberFacts(method),
  ...addressFacts(method.billingDetails.address),
]

/** The bank's number under its country's name, and the last digits of the account; none for an unknown kind of account. */
const accountNumberFacts = ({ aubecsDebit, bacsDebit, sepaDebit, usbankAccount }: BankMethod): readonly Fact[] => {
  if (aubecsDebit) return [toFact('BSB', aubecsDebit.bsbNumber), accountFact(aubecsDebit.last4)]
  if (bacsDebit) return [toFact('Sort code', bacsDebit.sort_code, 'sort code'), accountFact(bacsDebit.last4)]
  if (sepaDebit) return [toFact('Bank code', sepaDebit.bank_code, 'bank code'), accountFact(sepaDebit.last4)]
  if (usbankAccount) return [toFact('Routing number', usbankAccount.routing_number, 'routing number'), accountFact(usbankAccount.last4)]
  return []
}

/** The last digits of the account, as "•••• 4242"; "No account number provided" without them. */
const accountFact = (last4: string | null | undefined): Fact => toFact('Account', last4 ? `•••• ${last4}` : null, 'account number')
