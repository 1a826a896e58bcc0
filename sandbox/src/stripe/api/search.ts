import type { PaymentIntent } from '../objects/payment-intent.ts'
import { invalid } from './stripe-error.ts'

const CLAUSE = /^(?:metadata\[["']([^"']+)["']\]|(status|customer|currency|amount|created))\s*(:|>=|<=|>|<)\s*["']?([^"']*)["']?$/

/**
 * The intents that a query of Stripe's search language finds: clauses joined by AND, on metadata, status, customer, currency, amount and created.
 * @throws StripeError for a query that says something else
 */
export const matching = (intents: readonly PaymentIntent[], query: string): PaymentIntent[] => {
  const tests = query.split(/\s+AND\s+/i).map(testOf)
  return intents.filter((intent) => tests.every((test) => test(intent)))
}

const testOf = (clause: string): ((intent: PaymentIntent) => boolean) => {
  const [, key, field, sign, wanted = ''] = CLAUSE.exec(clause.trim()) ?? []
  if (sign === undefined) throw invalid(`We were unable to parse your search query: ${clause}`, { param: 'query' })
  return (intent) => {
    const value = key === undefined ? intent[field as 'status' | 'customer' | 'currency' | 'amount' | 'created'] : intent.metadata[key]
    if (value === undefined || value === null) return false
    if (sign === ':') return String(value) === wanted
    const [a, b] = [Number(value), Number(wanted)]
    return sign === '>' ? a > b : sign === '<' ? a < b : sign === '>=' ? a >= b : a <= b
  }
}
