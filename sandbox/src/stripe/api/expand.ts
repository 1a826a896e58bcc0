import type { Kept } from '../store/object-store.ts'
import { invalid } from './stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

const KIND_OF_PREFIX: Readonly<Record<string, string>> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  ch: 'charge',
  py: 'charge',
  seti: 'setup_intent',
  mandate: 'mandate',
  txn: 'balance_transaction',
  re: 'refund',
  cs: 'checkout.session',
  du: 'dispute',
}

type Fields = Record<string, unknown>

/**
 * The answer with the ids at those paths (`latest_charge.balance_transaction`, `data.customer`) replaced by what they name.
 * @throws StripeError on a path that leads to nothing
 */
export const expanded = (work: Work, answer: object, paths: readonly string[]): object => {
  for (const path of paths) if (path.split('.').length > 4) throw invalid('You cannot expand more than 4 levels of a property.')
  return paths.reduce((fields, path) => expand(work, fields, path.split('.'), path), answer as Fields)
}

const expand = (work: Work, fields: Fields, [name = '', ...rest]: string[], path: string): Fields => {
  const value = name === 'refunds' && fields['object'] === 'charge' ? refundsOf(work, String(fields['id'])) : fields[name]
  if (value === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  return { ...fields, [name]: expandedValue(work, value, rest, path) }
}

const expandedValue = (work: Work, value: unknown, rest: string[], path: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => expandedValue(work, one, rest, path))
  const found = typeof value === 'string' ? thing(work, value) : value
  if (rest.length === 0 || typeof found !== 'object' || found === null) return found
  return expand(work, found as Fields, rest, path)
}

const thing = (work: Work, id: string): Kept | string => {
  const kind = KIND_OF_PREFIX[id.split('_')[0] ?? '']
  return (kind === undefined ? undefined : work.find(kind, id)) ?? id
}

const refundsOf = (work: Work, charge: string): object => ({
  object: 'list',
  data: work.all<Kept & { charge?: string }>('refund').filter((refund) => refund.charge === charge),
  has_more: false,
  url: `/v1/charges/${charge}/refunds`,
})
