import { createHmac } from 'node:crypto'
import { type SharedWebhook, sharedTargets, type WebhookStyle } from '../../kit/webhook-sender.ts'
import { newId, toInstant } from '../store/ids.ts'
import type { PendingEvent, PinchSession } from '../store/pinch-session.ts'
import type { PinchEvent, Webhook } from './webhook.ts'

/** Webhook events as Pinch sends them: stored, and sent to every webhook that asks for their type, in its format, and to the shared one. */
export const pinchWebhooks = (sharedWebhook: SharedWebhook | undefined): WebhookStyle<PinchSession> => ({
  messagesOf: (session) =>
    session
      .takeEvents()
      .map((pending) => storeEvent(session, pending))
      .flatMap((event) => {
        const own = session
          .all<Webhook>('webhook')
          .filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(event.type))
          .map(({ uri: url, secret, format }) => ({ url, secret, format }))
        const shared = sharedTargets(sharedWebhook, session.applicationId).map((target) => ({ ...target, format: 'pascal-case' }))
        return [...own, ...shared].map(({ url, secret, format }) => ({ url, secret, body: bodyOf(event, format) }))
      }),
  headersOf: ({ body, secret }, now) => ({ 'pinch-signature': signature(body, secret ?? '', Math.floor(now / 1_000)) }),
  forgeBody: (body) => body.replaceAll(/("status":)"\w+"/gi, '$1"settled"'),
})

/** Stores an event with a new id, for the list of events. */
const storeEvent = (session: PinchSession, { type, metadata, data }: PendingEvent): PinchEvent =>
  session.put<PinchEvent>({
    id: newId('evt'),
    object: 'event',
    type,
    eventDate: toInstant(session.now).slice(0, -1),
    metadata,
    data,
  })

/** The JSON of an event as a webhook gets it, with names in camelCase or PascalCase. */
const bodyOf = ({ id, type, eventDate, metadata, data }: PinchEvent, format: string): string => {
  const event = { id, type, eventDate, metadata, data }
  return JSON.stringify(format === 'camel-case' ? event : toPascalCase(event))
}

/** A value with every name in PascalCase, as webhooks are by default. */
const toPascalCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toPascalCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.charAt(0).toUpperCase() + name.slice(1), toPascalCase(inner)]),
  )
}

/** The `pinch-signature` header, `t=…,v2=…`: HMAC-SHA256 of the time in seconds and the body. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v2=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
