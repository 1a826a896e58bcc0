import type { BankMethod, Card, Stored } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { ComponentType } from 'react'
import type { Fact } from './stripe/method-facts.ts'

/** What every dialog that stores a method is given. */
export interface AddProps {
  readonly details: PaymentDetails
  readonly onClose: () => void
  /** Told what became of the method; gives LEAVING when the page is about to be left. @throws Error where it cannot go on */
  readonly onStored: (stored: Stored) => unknown
}

export interface EditCardProps {
  readonly card: Card
  readonly onClose: () => void
}

/** What a payment company shows of bank accounts. */
export interface BankPanel {
  /** The heading of the list. */
  readonly heading: 'Direct Debit' | 'ACH' | 'BACS' | 'SEPA'
  readonly AddBank: ComponentType<AddProps>
  readonly facts: (method: BankMethod) => readonly Fact[]
}

/**
 * What one payment company shows on the screen of payment methods. A member that is absent means that this company does not do
 * that, and the screen has no button for it.
 */
export interface ProviderPanel {
  readonly AddCard: ComponentType<AddProps>
  readonly EditCard?: ComponentType<EditCardProps>
  readonly cardFacts: (card: Card) => readonly Fact[]
  /** The list of accounts for a reseller's direct-debit method id; null where it takes none. */
  readonly banks: (directDebitPaymentMethodId: number | null) => BankPanel | null
}
