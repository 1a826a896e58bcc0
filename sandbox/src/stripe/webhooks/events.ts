import type { Endpoint } from '../api/endpoint.ts'
import { newId } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { text, texts } from '../api/params.ts'
import { wireText } from '../api/serialize.ts'
import type { Happening, Work } from '../store/sandbox-session.ts'

/** The version whose shapes are spoken. */
export const API_VERSION = '2026-10-28.endive'

/** What happened, as it is told to whoever listens. */
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

/** A happening as an event, with the object as it stood then. */
export const eventOf = (work: Work, { type, object, before }: Happening, listeners: number): StripeEvent => ({
  id: newId('evt'),
  object: 'event',
  api_version: API_VERSION,
  created: work.now,
  data: {
    object: JSON.parse(wireText(object)) as object,
    ...(before === undefined ? {} : { previous_attributes: before }),
  },
  livemode: false,
  request: { id: work.setting.requestId, idempotency_key: work.setting.idempotencyKey },
  pending_webhooks: listeners,
  type,
})

/** `/v1/events` */
export const eventEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/events/:id',
    operation: 'lookup',
    takes: [],
    run: ({ work, id }) => work.get<StripeEvent>('event', id),
  },
  {
    method: 'GET',
    path: '/v1/events',
    operation: 'list',
    takes: [...LIST_TAKES, 'type', 'types', 'delivery_success'],
    run: ({ work, form }) => {
      const [type, types] = [text(form, 'type'), texts(form, 'types')]
      const events = work
        .all<StripeEvent>('event')
        .filter(
          (one) =>
            (type === undefined || matches(one.type, type)) && (types === undefined || types.some((wanted) => matches(one.type, wanted))),
        )
      return pageOf(events, form, '/v1/events')
    },
  },
]

/** Does a type fit a wish such as `charge.*` or `*`? */
export const matches = (type: string, wish: string): boolean =>
  wish === type || wish === '*' || (wish.endsWith('.*') && type.startsWith(wish.slice(0, -1)))
