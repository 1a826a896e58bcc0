import { createHmac } from 'node:crypto'
import { type DefaultWebhook, defaultTargets, type WebhookMessage, type WebhookStyle } from '../../kit/webhook-sender.ts'
import type { NexioSession, PendingEvent } from '../store/nexio-session.ts'
import type { WebhookConfig } from './webhook-config.ts'

/** Webhook events as Nexio sends them; accounts whose name contains `unsigned` have the unsigned style. */
export const nexioWebhooks = (defaultWebhook: DefaultWebhook | undefined): WebhookStyle<NexioSession> => ({
  messagesOf: (session) => session.takeEvents().flatMap((event) => messagesOfEvent(session, event, defaultWebhook)),
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

const messagesOfEvent = (
  session: NexioSession,
  { type, merchantId, data, unsignedBody }: PendingEvent,
  defaultWebhook: DefaultWebhook | undefined,
): WebhookMessage[] => {
  const config = session.find<WebhookConfig>('webhook_config', `webhooks ${merchantId}`)
  const url = config?.urls[type]
  const isUnsigned = session.account.includes('unsigned')
  const body = isUnsigned ? unsignedBody : { eventType: type, data }
  if (body === undefined) return []
  const targets = [
    ...(url === undefined ? [] : [{ url, secret: config?.secret ?? null }]),
    ...defaultTargets(defaultWebhook, session.account),
  ]
  return targets.map((target) => ({ url: target.url, secret: isUnsigned ? null : target.secret, body: JSON.stringify(body) }))
}

/** The `Nexio-signature` header: `t=…,v1=…`. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
