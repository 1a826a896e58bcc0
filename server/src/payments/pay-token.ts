import { LRUCache } from 'lru-cache'
import type { Keys } from '../kit/keys.ts'

/** A list of invoices has a token in each row, and computing thirty of them took a seventh of its time. */
const known = new WeakMap<Keys, LRUCache<string, string>>()

/**
 * The token of an invoice's payment link, not random: it follows from the master key and the invoice's ids. The database holds its hash
 * alone (0095).
 */
export const payToken = (keys: Keys, customerId: number, invoiceId: number): string => {
  const tokens = known.get(keys) ?? new LRUCache<string, string>({ max: 20_000 })
  known.set(keys, tokens)
  const id = `${customerId}/${invoiceId}`
  const token = tokens.get(id) ?? keys.mac('pay-token', String(customerId), String(invoiceId)).toString('base64url')
  tokens.set(id, token)
  return token
}
