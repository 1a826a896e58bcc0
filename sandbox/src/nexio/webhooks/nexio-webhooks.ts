import { createHmac } from 'node:crypto'
import { type SharedWebhook, sharedTargets, type WebhookMessage, type WebhookStyle } from '../../kit/webhook-sender.ts'
import type { NexioSession, PendingEvent } from '../store/nexio-session.ts'
import type { WebhookConfig } from './webhook-config.ts'

/** Webhook events as Nexio sends them; accounts whose name contains `unsigned` have the unsigned style, with other bodies. */
export const nexioWebhooks = (sharedWebhook: SharedWebhook | undefined): WebhookStyle<NexioSession> => ({
  messagesOf: (session) => session.takeEvents().flatMap((event) => messagesOfEvent(session, event, sharedWebhook)),
  headersOf: ({ body, secret }, now): Record<string, string> =>
    secret === null ? {} : { 'nexio-signature': signature(body, secret, now) },
  forgeBody: (body) => {
    const event = JSON.parse(body) as { data?: object; transactionStatus?: number }
    const claim =
      event.data === undefined
        ? { transactionStatus: 20 }
        : { eventType: 'TRANSACTION_SETTLED', data: { ...event.data, transactionStatus: 'settled' } }
    return JSON.stringify({ ...event, ...claim })
  },
  /** Three tries in all, a minute apart. */
  retryDelaysS: [60, 60],
})

/**
 * The messages of an event, each with its secret: one to the merchant's own webhook for this type and one besides to the shared webhook,
 * where they exist. Empty for an account of the unsigned style when that style has no such event.
 */
const messagesOfEvent = (
  session: NexioSession,
  { type, merchantId, data, unsignedBody }: PendingEvent,
  sharedWebhook: SharedWebhook | undefined,
): WebhookMessage[] => {
  const config = session.find<WebhookConfig>('webhook_config', `webhooks ${merchantId}`)
  const url = config?.urls[type]
  const isUnsigned = session.account.includes('unsigned')
  const body = isUnsigned ? unsignedBody : { eventType: type, data }
  if (body === undefined) return []
  const targets = [
    ...(url === undefined ? [] : [{ url, secret: config?.secret ?? null }]),
    ...sharedTargets(sharedWebhook, session.account),
  ]
  return targets.map((target) => ({ url: target.url, secret: isUnsigned ? null : target.secret, body: JSON.stringify(body) }))
}

/** The `Nexio-signature` header, `t=…,v1=…`: HMAC-SHA256 of the time in milliseconds and the body. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
