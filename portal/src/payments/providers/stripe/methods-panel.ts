import { STRIPE_DEBITS, type StripeDebit } from '@counterfoil/contract/kit/payments/payment-status'
import { bankFacts, cardFacts } from './method-facts.ts'
import type { BankPanel, ProviderPanel } from '../panel.ts'
import { AddAuBecs, AddSepa } from './add-bank.tsx'
import { AddCard } from './add-card.tsx'
import { AddUsAccount, AddUkAccount } from './checkout.tsx'
import { EditCard } from './edit-card.tsx'

const DEBITS: Readonly<Record<StripeDebit, BankPanel>> = {
  au_becs_debit: { heading: 'Direct Debit', AddBank: AddAuBecs, facts: bankFacts },
  us_bank_account: { heading: 'ACH', AddBank: AddUsAccount, facts: bankFacts },
  bacs_debit: { heading: 'BACS', AddBank: AddUkAccount, facts: bankFacts },
  sepa_debit: { heading: 'SEPA', AddBank: AddSepa, facts: bankFacts },
}

const kindOf = (id: number | null): StripeDebit | undefined => Object.entries(STRIPE_DEBITS).find(([key]) => Number(key) === id)?.[1]

/** Payment type 1: cards in Stripe's own fields, and one of four debits. */
export const stripePanel: ProviderPanel = {
  AddCard: AddCard,
  EditCard: EditCard,
  cardFacts,
  banks: (directDebitPaymentMethodId) => {
    const kind = kindOf(directDebitPaymentMethodId)
    return kind === undefined ? null : DEBITS[kind]
  },
}
