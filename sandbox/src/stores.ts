import { Faults } from './faults/faults.ts'
import { Ledger } from './ledger/ledger.ts'
import { Mailbox } from './mail/mailbox.ts'
import { Settlements } from './ledger/settlements.ts'
import type { StandingListener } from './stripe/webhooks/webhook-sender.ts'
import { Stripe } from './stripe/stripe.ts'

/** Everything the sandbox remembers; each provider's stand-in books, misbehaves and settles through these. */
export interface Stores {
  readonly mailbox: Mailbox
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  readonly stripe: Stripe
}

export interface StoreOptions {
  /** Who is told of everything that happens at the sandbox's Stripe, in every account. */
  readonly stripeListener?: StandingListener | undefined
  /** The present in milliseconds; the machine's own unless told otherwise. */
  readonly clock?: () => number
}

/** The stores of one sandbox; what is on disk in `dir` is read back, the others begin empty. */
export const openStores = (dir: string, { stripeListener, clock = Date.now }: StoreOptions = {}): Stores => {
  const ledger = new Ledger(dir)
  const faults = new Faults()
  const settlements = new Settlements()
  const stripe = new Stripe({ dir, ledger, faults, settlements, listener: stripeListener, clock })
  return { mailbox: new Mailbox(), ledger, faults, settlements, stripe }
}
