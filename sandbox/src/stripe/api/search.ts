import type { PaymentIntent } from '../objects/payment-intent.ts'
import { invalidRequest } from './stripe-error.ts'

const CLAUSE = /^(?:metadata\[["']([^"']+)["']\]|(status|customer|currency|amount|created))\s*(:|>=|<=|>|<)\s*["']?([^"']*)["']?$/

/**
 * The intents that match a query of Stripe's search language: clauses joined by AND, on metadata, status, customer, currency, amount and
 * created.
 * @throws StripeError for any other query
 */
export const searchIntents = (intents: readonly PaymentIntent[], query: string): PaymentIntent[] => {
  const tests = query.split(/\s+AND\s+/i).map(parseClause)
  return intents.filter((intent) => tests.every((test) => test(intent)))
}

/** The test of one clause of a query. @throws StripeError when the clause cannot be parsed */
const parseClause = (clause: string): ((intent: PaymentIntent) => boolean) => {
  const [, key, field, operator, operand = ''] = CLAUSE.exec(clause.trim()) ?? []
  if (operator === undefined) throw invalidRequest(`We were unable to parse your search query: ${clause}`, { param: 'query' })
  return (intent) => {
    const value = key === undefined ? intent[field as 'status' | 'customer' | 'currency' | 'amount' | 'created'] : intent.metadata[key]
    if (value === undefined || value === null) return false
    if (operator === ':') return String(value) === operand
    const [a, b] = [Number(value), Number(operand)]
    return operator === '>' ? a > b : operator === '<' ? a < b : operator === '>=' ? a >= b : a <= b
  }
}
