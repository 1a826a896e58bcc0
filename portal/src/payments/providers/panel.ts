import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import type { BankMethod, Card, Stored } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { Fact } from '../methods/method-facts.ts'

/**
 * What a payment provider brings to the portal. Each member loads a module of the provider's folder when a screen needs it, so that a
 * customer downloads the code of one provider only.
 */
export interface ProviderPanel {
  /** For the public page that pays one invoice with a new card. Absent when the provider takes new cards on the payment-methods screen only. */
  readonly loadCardEntry?: () => Promise<CardEntryModule>
  /**
   * For both payment screens, in place of their forms for a new card: the provider's own page in a frame, in which the card is entered and
   * paid with (BP-02, BP-03).
   */
  readonly loadFrame?: () => Promise<FrameModule>
  /** Whether several invoices may be paid with a new card too (BP-02). */
  readonly paysSeveralWithNewCard?: boolean
  /** Whether bank accounts are stored in the list of cards, whatever debits the reseller has. */
  readonly storesAccountsAsCards?: boolean
  /** Whether a payment of several invoices names its saved method in `cardToken`, too. */
  readonly paysByCardToken?: boolean
}

/** The lists of saved methods that a reseller offers; `accounts` is null when it takes no bank accounts. */
export interface MethodLists {
  readonly cards: MethodList<Card>
  readonly accounts: MethodList<BankMethod> | null
}

interface MethodListsModule {
  readonly methodLists: (details: PaymentDetails) => MethodLists
}

/** What a provider brings for methods that are stored, apart from its panel. */
export interface StoredMethods {
  /** For the payment-methods screen. */
  readonly loadMethodLists: () => Promise<MethodListsModule>
  /** For the forms that pay with them. */
  readonly loadSavedMethods: () => Promise<SavedMethodsModule>
}

export interface SavedMethodsModule {
  /** Fetches the saved methods that can pay, cards first. */
  readonly fetchSavedMethods: (signal: AbortSignal) => Promise<readonly SavedMethod[]>
}

interface FrameModule {
  readonly PaymentFrame: ComponentType<PaymentFrameProps>
}

export interface PaymentFrameProps {
  /** What is paid: the invoice of a payment link, or an intent. */
  readonly target: { readonly payToken: string } | { readonly sessionId: string }
  /** What paying by card comes to, as the page around the frame shows it. */
  readonly shownTotal: number
  /**
   * The frame has ended, or shows another page. Only the server knows how: read what is paid.
   * @returns whether there is anything new; else a frame that shows another page goes on
   */
  readonly onDone: () => Promise<boolean>
  /** A receipt of what was paid goes to this address, which was typed in the frame. Called before `onDone`. */
  readonly onReceipt?: (email: string) => void
  /** What is known of a payment that has no answer. */
  readonly notice: ReactNode
  /** The notice stands over the frame, which cannot be used meanwhile. */
  readonly isCovered: boolean
  /** The frame could not be loaded. Without it, the frame's own text says so. */
  readonly onFailed?: () => void
}

interface CardEntryModule {
  readonly CardEntry: ComponentType<CardEntryProps>
}

export type MethodKind = 'card' | 'bank'

/** A saved card or bank account as the screens show it, whatever the provider. */
export interface SavedMethod {
  readonly id: string
  readonly kind: MethodKind
  /** What a payment by it is sent as, such as "card" (BP-05). */
  readonly type: string
  readonly title: string
  /** Stands before the title, which need not repeat what it shows. */
  readonly image?: ReactElement
  /** Small text beside the title; may be empty. */
  readonly detail: string
  readonly isDefault: boolean
  /** The account is not verified yet and cannot be charged. */
  readonly isPending: boolean
  readonly facts: readonly Fact[]
}

/** One list of saved methods, and what can be done with them. */
export interface MethodList<Method> {
  readonly kind: MethodKind
  readonly heading: string
  /** The label of the button that adds a method. */
  readonly addLabel: string
  readonly fetchMethods: (signal: AbortSignal) => Promise<readonly Method[]>
  readonly toSavedMethod: (method: Method) => SavedMethod
  /** The dialog that adds a method: a form, or the provider's own fields. */
  readonly AddDialog?: ComponentType<AddDialogProps> | undefined
  /** What is shown in place of the list while a method is added, instead of a dialog. */
  readonly AddView?: ComponentType<AddViewProps>
  /** The dialog that edits a method. Absent when methods cannot be edited. */
  readonly EditDialog?: ComponentType<EditDialogProps<Method>>
  readonly remove: (id: string) => Promise<unknown>
  readonly setDefault: (id: string) => Promise<unknown>
  /** Whether the default cannot be removed while the list has others. */
  readonly requiresReplacementBeforeRemovingDefault?: boolean
  /** Whether a new default card reloads the page, as a new default account does. */
  readonly reloadsOnDefault?: boolean
}

export interface AddDialogProps {
  readonly details: PaymentDetails
  readonly onClose: () => void
  /**
   * Call it with the server's response. The dialog's submit returns what it returns: NAVIGATING when the page is about to be left.
   * @throws Error with a text to show
   */
  readonly onStored: (stored: Stored) => unknown
}

export interface AddViewProps {
  /** Shows the list again. */
  readonly onClose: () => void
}

export interface EditDialogProps<Method> {
  readonly method: Method
  readonly onClose: () => void
}

/** The reseller's account at the provider; null where it is not configured. */
export type ProviderAccount = Pick<PaymentDetails, 'scriptUrl' | 'publishableKey' | 'splitCardFields' | 'takesCardNumbers'>

export interface CardEntryProps {
  readonly account: ProviderAccount
  /** What the provider's own fields need, where they do not come with the account. */
  readonly startCardFields: () => Promise<CardFieldsStart>
  readonly disabled: boolean
  /** Called when the user begins to change the card. */
  readonly onEdit: () => void
  /** Renders the form around the fields. It is not called until the fields can be shown, for example while a script loads. */
  readonly children: (card: EnteredCard) => ReactNode
}

/** A card that the user enters: in the provider's frames, in fields that its script reads, or in plain fields. */
export interface EnteredCard {
  readonly fields: ReactNode
  /** What is not entered yet, or not right, in words; empty when the card can be used. */
  readonly missing: readonly string[]
  /**
   * Turns the entered card into fields of the pay request.
   * @throws Error with a text to show
   */
  readonly toPayment: (holder: CardHolder) => Promise<CardPayment>
}

/** The card holder, as far as the form asks for it. */
export interface CardHolder {
  readonly name: string
  readonly email?: string
  readonly address?: string
  readonly city?: string
  readonly state?: string
  readonly zip?: string
  readonly country?: string
}

/** The fields of a pay request that carry the card: a token, or the card's data as the provider takes it. */
interface CardPayment {
  readonly cardToken?: string
  readonly cardNumber?: string
  readonly expirationDate?: string
  readonly cardCode?: string
  readonly cvc?: string
  readonly nexioCustomerDetails?: { readonly payerFirstName: string; readonly payerLastName: string; readonly email?: string }
}
