import { createHmac, randomUUID } from 'node:crypto'
import type { StoredObject } from '../../kit/object-store.ts'
import { type SharedWebhook, sharedTargets, type WebhookStyle } from '../../kit/webhook-sender.ts'
import type { Fields } from '../api/fields.ts'
import type { AuthorizeSession, PendingEvent } from '../store/authorize-session.ts'

/** An account's webhook. */
export interface WebhookEndpoint extends StoredObject {
  readonly object: 'webhook_endpoint'
  readonly url: string
  /** The signature key, used as text. */
  readonly key: string
}

/** Notifications as Authorize.net sends them: each event goes to every webhook of the account and to the shared one. */
export const authorizeWebhooks = (sharedWebhook: SharedWebhook | undefined): WebhookStyle<AuthorizeSession> => ({
  messagesOf: (session) => {
    const endpoints = session.all<WebhookEndpoint>('webhook_endpoint').map(({ url, key }) => ({ url, secret: key }))
    const targets = [...endpoints, ...sharedTargets(sharedWebhook, session.account)]
    return session
      .takeEvents()
      .flatMap((event) => targets.map((target) => ({ ...target, body: JSON.stringify(toNotification(event, target.url, session.now)) })))
  },
  headersOf: ({ body, secret }) => ({
    'content-type': 'application/json; charset=utf-8',
    'x-anet-signature': signatureOf(body, secret ?? ''),
  }),
  forgeBody: (body) => {
    const event = JSON.parse(body) as Fields
    const payload = { ...(event['payload'] as Fields), responseCode: 1 }
    return JSON.stringify({ ...event, eventType: 'net.authorize.payment.authcapture.created', payload })
  },
})

/** Authorize.net's notification of an event to a webhook with this URL, of which it tells the id alone. */
const toNotification = ({ type, payload }: PendingEvent, url: string, now: number): Fields => ({
  notificationId: randomUUID(),
  eventType: `net.authorize.${type}`,
  eventDate: new Date(now).toISOString().replace('Z', '0000Z'),
  webhookId: webhookIdOf(url),
  payload,
})

/** A webhook's id, a UUID: a hash of its URL. */
const webhookIdOf = (url: string): string =>
  createHmac('sha256', 'webhook')
    .update(url)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

/** The `X-Anet-Signature` header: HMAC-SHA512 with the signature key as text, in upper-case hex. */
export const signatureOf = (body: string, key: string): string =>
  `sha512=${createHmac('sha512', key).update(body).digest('hex').toUpperCase()}`
