import type { Endpoint } from '../api/endpoint.ts'
import { newId, randomText } from '../store/ids.ts'
import { LIST_PARAMS, listPage } from '../api/lists.ts'
import { metadataParam, enumParam, stringParam, stringOrNullParam, stringListParam } from '../api/params.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

/** An account's webhook endpoint. */
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

interface NewEndpoint {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: readonly string[] | undefined
}

/**
 * Stores a webhook endpoint; without `secret` it gets a random one, without `events` all events.
 * @throws StripeError when the URL is not http or https
 */
export const createWebhookEndpoint = (
  sandbox: StripeSession,
  { url, secret, events }: NewEndpoint,
  fields: Partial<WebhookEndpoint> = {},
): WebhookEndpoint => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidRequest('Invalid URL: An explicit scheme (such as https) must be provided.', { code: 'url_invalid', param: 'url' })
  return sandbox.put({
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: sandbox.now,
    description: null,
    enabled_events: events ?? ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
    ...fields,
    sandbox_only: { secret: secret ?? `whsec_${randomText(32)}` },
  })
}

const ENDPOINT_PARAMS = ['api_version', 'connect', 'description', 'enabled_events', 'metadata', 'url'] as const

/** `/v1/webhook_endpoints` */
export const webhookEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    operation: 'webhook-endpoint',
    params: ENDPOINT_PARAMS,
    requiredParams: ['url', 'enabled_events'],
    handle: ({ sandbox, form }) => {
      const endpoint = createWebhookEndpoint(
        sandbox,
        { url: stringParam(form, 'url') ?? '', events: stringListParam(form, 'enabled_events') },
        {
          api_version: stringOrNullParam(form, 'api_version'),
          description: stringOrNullParam(form, 'description'),
          metadata: metadataParam(form),
        },
      )
      return { ...endpoint, secret: endpoint.sandbox_only.secret }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    params: [],
    handle: ({ sandbox, id }) => sandbox.get<WebhookEndpoint>('webhook_endpoint', id),
  },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    params: [...ENDPOINT_PARAMS, 'disabled'],
    handle: ({ sandbox, form, id }) => {
      const endpoint = sandbox.get<WebhookEndpoint>('webhook_endpoint', id)
      return sandbox.put({
        ...endpoint,
        url: stringParam(form, 'url') ?? endpoint.url,
        enabled_events: stringListParam(form, 'enabled_events') ?? endpoint.enabled_events,
        status: enumParam(form, 'disabled', ['true', 'false']) === 'true' ? ('disabled' as const) : ('enabled' as const),
        metadata: metadataParam(form, endpoint.metadata),
      })
    },
  },
  {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    operation: 'webhook-endpoint',
    params: [],
    handle: ({ sandbox, id }) => {
      sandbox.remove(sandbox.get<WebhookEndpoint>('webhook_endpoint', id).id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    operation: 'webhook-endpoint',
    params: LIST_PARAMS,
    handle: ({ sandbox, form }) => listPage(sandbox.all<WebhookEndpoint>('webhook_endpoint'), form, '/v1/webhook_endpoints'),
  },
]
