import type { Form } from './form.ts'
import type { StoredObject } from '../../kit/object-store.ts'
import { objectParam, stringParam, integerParam } from './params.ts'
import { invalidRequest, notFound } from './stripe-error.ts'

/** The parameters of every list. */
export const LIST_PARAMS = ['limit', 'starting_after', 'ending_before', 'created'] as const

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10

type DatedObject = StoredObject & { readonly created?: number }

/**
 * One page of `objects` (newest first) by the form's `limit`, `starting_after`, `ending_before` and `created`.
 * @throws StripeError for a wrong limit, or an id that is not in the list
 */
export const listPage = (objects: readonly DatedObject[], form: Form, url: string): object => {
  const limit = integerParam(form, 'limit') ?? DEFAULT_LIMIT
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest(`Limit must be between 1 and ${MAX_LIMIT}.`, { code: 'parameter_invalid_integer', param: 'limit' })
  const matching = objects.filter(createdFilter(form))
  const after = stringParam(form, 'starting_after')
  const before = stringParam(form, 'ending_before')
  if (before !== undefined) {
    const rest = matching.slice(0, indexOfId(matching, before, 'ending_before'))
    return { object: 'list', data: rest.slice(-limit), has_more: rest.length > limit, url }
  }
  const rest = after === undefined ? matching : matching.slice(indexOfId(matching, after, 'starting_after') + 1)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

/** The position of the object with this id. @throws StripeError when there is none */
const indexOfId = (objects: readonly StoredObject[], id: string, param: string): number => {
  const index = objects.findIndex((object) => object.id === id)
  if (index < 0) throw notFound('object', id, param)
  return index
}

/** Whether an object was made in the span of the form's `created`, a time or a range; every object without the parameter. */
const createdFilter = (form: Form): ((object: DatedObject) => boolean) => {
  if (typeof form['created'] === 'string') {
    const at = integerParam(form, 'created')
    return ({ created }) => at === undefined || created === at
  }
  const range = objectParam(form, 'created')
  if (range === undefined) return () => true
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((bound) => integerParam(range, bound))
  return ({ created = 0 }) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
}
