import type { Endpoint } from '../api/endpoint.ts'
import { newId, random } from '../store/ids.ts'
import { LIST_TAKES, pageOf } from '../api/lists.ts'
import { metadata, oneOf, text, textOrNull, texts } from '../api/params.ts'
import { invalid } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

/** Where an account's notices go. */
export interface WebhookEndpoint {
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly created: number
  readonly enabled_events: readonly string[]
  readonly status: 'enabled' | 'disabled'
  readonly url: string
  readonly api_version: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly description: string | null
  readonly application: null
  readonly livemode: false
  readonly sandbox_only: { readonly secret: string }
}

interface Listener {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: readonly string[] | undefined
}

/** Keeps a new endpoint; `secret` is made up unless it is given. */
export const newWebhookEndpoint = (work: Work, { url, secret, events }: Listener, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', { code: 'url_invalid', param: 'url' })
  return work.put({
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: work.now,
    description: null,
    enabled_events: events ?? ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
    ...more,
    sandbox_only: { secret: secret ?? `whsec_${random(32)}` },
  })
}

const TAKES = ['api_version', 'connect', 'description', 'enabled_events', 'metadata', 'url'] as const

/** `/v1/webhook_endpoints` */
export const webhookEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    operation: 'webhook-endpoint',
    takes: TAKES,
    needs: ['url', 'enabled_events'],
    run: ({ work, form }) => {
      const endpoint = newWebhookEndpoint(
        work,
        { url: text(form, 'url') ?? '', events: texts(form, 'enabled_events') },
        { api_version: textOrNull(form, 'api_version'), description: textOrNull(form, 'description'), metadata: metadata(form) },
      )
      return { ...endpoint, secret: endpoint.sandbox_only.secret }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    takes: [],
    run: ({ work, id }) => work.get<WebhookEndpoint>('webhook_endpoint', id),
  },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    takes: [...TAKES, 'disabled'],
    run: ({ work, form, id }) => {
      const endpoint = work.get<WebhookEndpoint>('webhook_endpoint', id)
      return work.put({
        ...endpoint,
        url: text(form, 'url') ?? endpoint.url,
        enabled_events: texts(form, 'enabled_events') ?? endpoint.enabled_events,
        status: oneOf(form, 'disabled', ['true', 'false']) === 'true' ? ('disabled' as const) : ('enabled' as const),
        metadata: metadata(form, endpoint.metadata),
      })
    },
  },
  {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    takes: [],
    run: ({ work, id }) => {
      work.remove(work.get<WebhookEndpoint>('webhook_endpoint', id).id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    operation: 'webhook-endpoint',
    takes: LIST_TAKES,
    run: ({ work, form }) => pageOf(work.all<WebhookEndpoint>('webhook_endpoint'), form, '/v1/webhook_endpoints'),
  },
]
