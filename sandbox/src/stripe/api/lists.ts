import type { Form } from './form.ts'
import type { Kept } from '../store/object-store.ts'
import { inner, text, whole } from './params.ts'
import { invalid, missing } from './stripe-error.ts'

/** What every list takes. */
export const LIST_TAKES = ['limit', 'starting_after', 'ending_before', 'created'] as const

const MOST = 100
const USUAL = 10

type Dated = Kept & { readonly created?: number }

/** One page of things that are given newest first, as the form's `limit`, `starting_after`, `ending_before` and `created` ask. */
export const pageOf = (things: readonly Dated[], form: Form, url: string): object => {
  const limit = whole(form, 'limit') ?? USUAL
  if (limit < 1 || limit > MOST)
    throw invalid(`Limit must be between 1 and ${MOST}.`, { code: 'parameter_invalid_integer', param: 'limit' })
  const within = things.filter(createdWithin(form))
  const after = text(form, 'starting_after')
  const before = text(form, 'ending_before')
  if (before !== undefined) {
    const rest = within.slice(0, placeOf(within, before, 'ending_before'))
    return { object: 'list', data: rest.slice(-limit), has_more: rest.length > limit, url }
  }
  const rest = after === undefined ? within : within.slice(placeOf(within, after, 'starting_after') + 1)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

const placeOf = (things: readonly Kept[], id: string, param: string): number => {
  const place = things.findIndex((thing) => thing.id === id)
  if (place < 0) throw missing('object', id, param)
  return place
}

const createdWithin = (form: Form): ((thing: Dated) => boolean) => {
  if (typeof form['created'] === 'string') {
    const at = whole(form, 'created')
    return ({ created }) => at === undefined || created === at
  }
  const range = inner(form, 'created')
  if (range === undefined) return () => true
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((bound) => whole(range, bound))
  return ({ created = 0 }) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
}
