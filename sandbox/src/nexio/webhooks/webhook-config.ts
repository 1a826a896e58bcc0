import { randomBytes } from 'node:crypto'
import type { Endpoint } from '../api/endpoint.ts'
import { type Fields, objectField, textField } from '../api/fields.ts'
import { validationError } from '../api/nexio-error.ts'
import { merchantOf } from '../store/merchants.ts'
import type { NexioSession } from '../store/nexio-session.ts'

/** Where a merchant's webhook events go. */
export interface WebhookConfig {
  readonly id: string
  readonly object: 'webhook_config'
  readonly merchantId: string
  /** The URL of each event type. */
  readonly urls: Readonly<Record<string, string>>
  /** Signs the events; null until somebody asks for it. */
  readonly secret: string | null
}

/** The merchant's stored webhook settings, or empty ones, which are not stored. */
const configOf = (session: NexioSession, merchantId: string): WebhookConfig =>
  session.find<WebhookConfig>('webhook_config', `webhooks ${merchantId}`) ?? {
    id: `webhooks ${merchantId}`,
    object: 'webhook_config',
    merchantId,
    urls: {},
    secret: null,
  }

/** The URL of each event type in a request. @throws NexioError when one is no http or https address */
const urlsOf = (webhooks: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.keys(webhooks).map((type) => {
      const url = textField(objectField(webhooks, type), 'url') ?? ''
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw validationError(`"webhooks.${type}.url" must be a valid uri`)
      return [type, url]
    }),
  )

/** The webhook settings in the form of responses, without the secret. */
const configAnswer = ({ merchantId, urls }: WebhookConfig): object => ({
  merchantId,
  webhooks: Object.fromEntries(Object.entries(urls).map(([type, url]) => [type, { url }])),
})

/** The response with the merchant's webhook secret, which is made and stored when it is first asked for. */
const secretAnswer = (session: NexioSession, merchantId: string): object => {
  const config = configOf(session, merchantId)
  const { secret } = config.secret === null ? session.put({ ...config, secret: randomBytes(24).toString('hex') }) : config
  return { secret }
}

/** `/webhook/v3` */
export const webhookEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/webhook/v3/config',
    operation: 'webhook-config',
    handle: ({ session, body }) => {
      const config = configOf(session, merchantOf(session.account, body))
      return configAnswer(session.put({ ...config, urls: urlsOf(objectField(body, 'webhooks')) }))
    },
  },
  {
    method: 'POST',
    path: '/webhook/v3/secret',
    operation: 'webhook-config',
    handle: ({ session, body }) => secretAnswer(session, merchantOf(session.account, body)),
  },
  ...(['GET', 'POST'] as const).map(
    (method): Endpoint => ({
      method,
      path: '/webhook/v3/secret/:id',
      operation: 'webhook-config',
      handle: ({ session, id }) => secretAnswer(session, merchantOf(session.account, { merchantId: id })),
    }),
  ),
]
