import type { WebhookStyle } from '../../kit/webhook-sender.ts'
import type { BpointSession } from '../store/bpoint-session.ts'

const HOUR_S = 3_600

/** Webhook events as BPOINT sends them: unsigned, to the address that the call has registered. */
export const bpointWebhooks: WebhookStyle<BpointSession> = {
  messagesOf: (session) => session.takeEvents().map(({ url, type, data }) => ({ url, secret: null, body: JSON.stringify({ type, data }) })),
  headersOf: () => ({}),
  forgeBody: (body) => {
    const { type, data } = JSON.parse(body) as { type: string; data: object }
    const claim = { responseCode: '0', bankResponseCode: '00', responseText: 'Approved', settlementDate: '20260101' }
    return JSON.stringify({ type, data: { ...data, ...claim } })
  },
  /** Hourly for a day. */
  retryDelaysS: Array.from({ length: 24 }, () => HOUR_S),
}
