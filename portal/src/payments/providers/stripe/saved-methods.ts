import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { bankTitle, cardExpiry, cardTitle } from './method-label.ts'

/** A saved method that can be selected. */
export interface SavedMethod {
  readonly id: string
  readonly kind: 'card' | 'bank'
  /** The payment type of the request: card, or the kind of debit (BP-05). */
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly isDefault: boolean
}

/** The methods that can be selected, cards first. Unverified accounts are left out. */
export const savedMethods = (cards: readonly Card[], accounts: readonly BankMethod[]): readonly SavedMethod[] => [
  ...cards.map((card): SavedMethod => {
    const expiry = cardExpiry(card)
    return {
      id: card.id,
      kind: 'card',
      type: 'card',
      title: cardTitle(card),
      detail: expiry && `Expires ${expiry}`,
      isDefault: card.isDefault,
    }
  }),
  ...accounts
    .filter(({ status }) => status === 'ready')
    .map(
      (account): SavedMethod => ({
        id: account.id,
        kind: 'bank',
        type: account.type,
        title: bankTitle(account),
        detail: account.billingDetails.name ?? '',
        isDefault: account.isDefault,
      }),
    ),
]
