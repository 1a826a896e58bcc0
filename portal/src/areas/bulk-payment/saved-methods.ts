import type { BankMethod, Card } from '@counterfoil/contract/payment-methods'
import { bankTitle, cardExpiry, cardTitle } from '../../payments/method-label.ts'

/** A stored method as one may choose it. */
export interface SavedMethod {
  readonly id: string
  readonly kind: 'card' | 'bank'
  /** What the payment is sent as: card, or the kind of debit (payments.md §4). */
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly isDefault: boolean
}

/** What may be chosen, cards first; an account that its owner has not confirmed yet cannot pay. */
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
