import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { stringParam, stringListParam } from '../api/params.ts'
import { serialize } from '../api/serialize.ts'
import type { PendingEvent, StripeSession } from '../store/stripe-session.ts'

/** The newest supported version of Stripe's API. */
export const API_VERSION = '2026-10-28.endive'

/** An event as webhook endpoints receive it. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly created: number
  readonly type: string
  readonly pending_webhooks: number
  readonly api_version: string
  readonly livemode: false
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly data: { readonly object: object; readonly previous_attributes?: object }
}

/** The event with a copy of the object at this moment, not stored. */
export const toEvent = (sandbox: StripeSession, { type, object, previous }: PendingEvent, endpointCount: number): StripeEvent => ({
  id: newId('evt'),
  object: 'event',
  api_version: API_VERSION,
  created: sandbox.now,
  data: {
    object: JSON.parse(serialize(object)) as object,
    ...(previous === undefined ? {} : { previous_attributes: previous }),
  },
  livemode: false,
  request: { id: sandbox.context.requestId, idempotency_key: sandbox.context.idempotencyKey },
  pending_webhooks: endpointCount,
  type,
})

/** `/v1/events` */
export const eventEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/events/:id',
    operation: 'lookup',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<StripeEvent>('event', id),
  },
  {
    method: 'GET',
    path: '/v1/events',
    operation: 'list',
    params: [...LIST_PARAMS, 'type', 'types', 'delivery_success'],
    handle: ({ sandbox, form }) => {
      const [type, types] = [stringParam(form, 'type'), stringListParam(form, 'types')]
      const events = sandbox
        .all<StripeEvent>('event')
        .filter(
          (event) =>
            (type === undefined || matchesEventType(event.type, type)) &&
            (types === undefined || types.some((pattern) => matchesEventType(event.type, pattern))),
        )
      return listPage(events, form, '/v1/events')
    },
  },
]

/** Whether an event type matches a pattern such as `charge.*` or `*`. */
export const matchesEventType = (type: string, pattern: string): boolean =>
  pattern === type || pattern === '*' || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
