import { Faults } from './faults/faults.ts'
import { Ledger } from './ledger/ledger.ts'
import { Mailbox } from './mail/mailbox.ts'
import { Settlements } from './ledger/settlements.ts'
import type { DefaultWebhook } from './stripe/webhooks/webhook-sender.ts'
import { Stripe } from './stripe/stripe.ts'

/** The sandbox's state, which all providers share. */
export interface Stores {
  readonly mailbox: Mailbox
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  readonly stripe: Stripe
}

export interface StoreOptions {
  /** Receives every event of the sandbox's Stripe. */
  readonly stripeWebhook?: DefaultWebhook | undefined
  /** The current time in milliseconds; the system clock by default. */
  readonly clock?: () => number
}

/** Opens the stores; the ledger and Stripe's objects are read from `dir`, the others start empty. */
export const openStores = (dir: string, { stripeWebhook, clock = Date.now }: StoreOptions = {}): Stores => {
  const ledger = new Ledger(dir)
  const faults = new Faults()
  const settlements = new Settlements()
  const stripe = new Stripe({ dir, ledger, faults, settlements, defaultWebhook: stripeWebhook, clock })
  return { mailbox: new Mailbox(), ledger, faults, settlements, stripe }
}
