import { createHmac } from 'node:crypto'
import { type SharedWebhook, sharedTargets, type WebhookStyle } from '../../kit/webhook-sender.ts'
import { serialize } from '../api/serialize.ts'
import type { StripeSession } from '../store/stripe-session.ts'
import { matchesEventType, type StripeEvent, toEvent } from './events.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

/** Webhook events as Stripe sends them: stored, and sent to every enabled endpoint that asks for their type and to the shared one. */
export const stripeWebhooks = (sharedWebhook: SharedWebhook | undefined): WebhookStyle<StripeSession> => ({
  messagesOf: (session) =>
    session.takeEvents().flatMap((pendingEvent) => {
      const endpoints = session
        .all<WebhookEndpoint>('webhook_endpoint')
        .filter(
          ({ status, enabled_events }) =>
            status === 'enabled' && enabled_events.some((pattern) => matchesEventType(pendingEvent.type, pattern)),
        )
        .map(({ url, sandbox_only }) => ({ url, secret: sandbox_only.secret }))
      const targets = [...endpoints, ...sharedTargets(sharedWebhook, session.account)]
      const event = session.put(toEvent(session, pendingEvent, targets.length))
      return targets.map((target) => ({ ...target, body: serialize(event), eventId: event.id }))
    }),
  headersOf: ({ body, secret }, now) => ({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': signature(body, secret ?? '', Math.floor(now / 1000)),
  }),
  forgeBody: (body) => {
    const event = JSON.parse(body) as StripeEvent
    return serialize({ ...event, data: { object: { ...event.data.object, status: 'succeeded', paid: true } } })
  },
  onDelivered: (session, { eventId = '' }) => {
    const event = session.find<StripeEvent>('event', eventId)
    if (event !== undefined && event.pending_webhooks > 0) session.put({ ...event, pending_webhooks: event.pending_webhooks - 1 })
  },
})

/** The `Stripe-Signature` header, `t=…,v1=…`: HMAC-SHA256 of the time in seconds and the body. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
