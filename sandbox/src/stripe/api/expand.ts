import type { StoredObject } from '../../kit/object-store.ts'
import { invalidRequest } from './stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

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
 * The response with the ids at those paths (`latest_charge.balance_transaction`, `data.customer`) replaced by the stored objects.
 * @throws StripeError when a path does not exist or is too deep
 */
export const expandPaths = (sandbox: StripeSession, response: object, paths: readonly string[]): object => {
  for (const path of paths) if (path.split('.').length > 4) throw invalidRequest('You cannot expand more than 4 levels of a property.')
  return paths.reduce((fields, path) => expandField(sandbox, fields, path.split('.'), path), response as Fields)
}

/** The fields with the path's first field expanded, and in it the rest of the path. @throws StripeError when the field does not exist */
const expandField = (sandbox: StripeSession, fields: Fields, [name = '', ...rest]: string[], path: string): Fields => {
  const value = name === 'refunds' && fields['object'] === 'charge' ? refundList(sandbox, String(fields['id'])) : fields[name]
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  return { ...fields, [name]: expandValue(sandbox, value, rest, path) }
}

/** The value with its ids replaced by objects, and in them the rest of the path; a list item by item. */
const expandValue = (sandbox: StripeSession, value: unknown, rest: string[], path: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => expandValue(sandbox, item, rest, path))
  const object = typeof value === 'string' ? objectOrId(sandbox, value) : value
  if (rest.length === 0 || typeof object !== 'object' || object === null) return object
  return expandField(sandbox, object as Fields, rest, path)
}

/** The stored object of an id, whose prefix tells the kind; the id itself when there is none. */
const objectOrId = (sandbox: StripeSession, id: string): StoredObject | string => {
  const kind = KIND_OF_PREFIX[id.split('_')[0] ?? '']
  return (kind === undefined ? undefined : sandbox.find(kind, id)) ?? id
}

/** The list of a charge's refunds, which the charge does not hold. */
const refundList = (sandbox: StripeSession, charge: string): object => ({
  object: 'list',
  data: sandbox.all<StoredObject & { charge?: string }>('refund').filter((refund) => refund.charge === charge),
  has_more: false,
  url: `/v1/charges/${charge}/refunds`,
})
