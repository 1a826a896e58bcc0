import type { FrameLocator, Locator, Page } from 'playwright-core'
import type { ResellerId } from '../payer.ts'

/** Where fields stand: a page, a dialog or the provider's frame. */
export type Form = Page | Locator | FrameLocator

/** What is typed, by the fields' labels, in the order of the Tab key. */
export type Typed = Readonly<Record<string, string>>

/** A form, of which every field that is typed is needed. */
export interface FormCase {
  readonly typed: Typed
  /** What is typed in place of some of it and refused, and the words for it; undefined where nothing is. */
  readonly refused?: { readonly typed: Typed; readonly says: string }
  /** What stands in the form after it was refused. */
  readonly kept: Typed
}

/** A form that stores a method, and what the screen then shows. */
export interface MethodCase extends FormCase {
  /** Fields that need not be filled in. */
  readonly optional?: Typed
  /** As the buttons of its row name it. */
  readonly title: string
  /** What its row shows when it is open. */
  readonly facts: readonly string[]
  /** What the portal sends to our server; absent where the provider's frame stores it. */
  readonly sent?: object
}

/** What the browser tests of every payment provider need to know of one. */
export interface ProviderDriver {
  /** As the sandbox calls it, and the demo user of its reseller. */
  readonly name: string
  readonly type: number
  readonly reseller: ResellerId
  readonly currency: 'AUD' | 'CAD' | 'USD'
  /** 110.00 as the screens write it. */
  readonly total: string
  /** What the payer reads of a declined charge. */
  readonly declined: string
  /** The provider's frame, in which cards are entered and paid with; absent where the fields stand on our pages. */
  readonly frame?: (page: Page) => FrameLocator
  /** The form of a payment link. After it was declined, what was typed stays as after it was refused. */
  readonly link: FormCase & {
    /** Another card, typed in place of the first one. */
    readonly another: Typed
    /** What is sent of it; absent where the provider's frame pays. */
    readonly sent?: object
  }
  readonly card: MethodCase & { readonly another: { readonly typed: Typed; readonly title: string } }
  /** The bank account that pays; absent where none does. */
  readonly account?: MethodCase & {
    /** The heading of its list. */
    readonly list: string
    /** What a payment by it is sent as. */
    readonly type: 'eCheck' | 'au_becs_debit'
  }
  /** Whether card numbers reach our server: its demo reseller lets them be typed on our pages. */
  readonly takesCardNumbers?: true
  /** Whether the default card stays while there are others. */
  readonly keepsDefault?: true
  readonly editsCards?: true
  /** Whether a new default card loads the page again. */
  readonly reloadsOnDefault?: true
  /** Whether a payment by a stored card names it in `cardToken`, too. */
  readonly paysByCardToken?: true
  /** Opens the form that stores a method. */
  readonly openForm: (page: Page, kind: 'card' | 'account') => Promise<Form>
  /** What only this provider shows where a stored method is chosen. */
  readonly expectChoice?: (page: Page) => Promise<void>
}
