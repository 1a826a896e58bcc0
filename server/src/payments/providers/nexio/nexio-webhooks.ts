import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../../kit/api-error.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { WebhookEvent } from '../webhooks.ts'
import { type NexioContext, parseJson } from './nexio-client.ts'

const TOLERANCE_MS = 600_000
/** The unit of `t` is not documented; seconds have fewer digits. */
const FIRST_MS_VALUE = 100_000_000_000

const WireEvent = Type.Object({
  eventType: Type.String({ minLength: 1, maxLength: 100 }),
  data: Type.Object({
    id: Type.Optional(Type.String({ maxLength: 500 })),
    transactionType: Type.Optional(Type.String()),
    data: Type.Optional(
      Type.Object({ customer: Type.Optional(Type.Object({ orderNumber: Type.Optional(Type.String({ maxLength: 100 })) })) }),
    ),
  }),
})

/**
 * Whether the header's HMAC-SHA-256 of its time and the raw body is right under one of the webhook secrets, and that time is within
 * `TOLERANCE_MS` of now.
 */
const hasValidSignature = ({ settings, now }: NexioContext, header: string, raw: string): boolean => {
  const [, t = '', v1 = ''] = /^t=(\d{1,15}),\s*v1=([0-9a-f]{64})$/i.exec(header) ?? []
  const sentMs = Number(t) >= FIRST_MS_VALUE ? Number(t) : Number(t) * 1_000
  if (v1 === '' || Math.abs(now.getTime() - sentMs) > TOLERANCE_MS) return false
  const given = Buffer.from(v1, 'hex')
  return settings.webhookSecrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(`${t}.${raw}`).digest(), given))
}

/**
 * Verifies and parses a webhook. Its content is only a hint: the payment is looked up. Nexio gives events no ids, so the event's type and
 * the SHA-256 of its text stand for one.
 * @returns one event: about a payment when it names our reference, else about something other
 * @throws ApiError when the signature is wrong or the text is not an event
 */
export const parseNexioWebhook = (
  context: NexioContext,
  { headers, raw }: { headers: Readonly<Record<string, string>>; raw: string },
): readonly WebhookEvent[] => {
  if (!hasValidSignature(context, headers['nexio-signature'] ?? '', raw))
    throw new ApiError('invalid_signature', 'The signature of this webhook is not valid.')
  const event = parseJson(raw)
  if (!matchesSchema(WireEvent, event)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const { eventType: kind, data } = event
  const merchantReference = data.data?.customer?.orderNumber
  const eventId = `${kind}:${createHash('sha256').update(raw).digest('hex')}`
  if (!kind.startsWith('TRANSACTION_') || merchantReference === undefined || merchantReference === '')
    return [{ eventId, kind, about: 'other' }]
  // A refund has an id of its own, which is not the payment's.
  const providerRef = data.transactionType === 'sale' ? data.id : undefined
  return [{ eventId, kind, about: 'payment', merchantReference, ...(providerRef === undefined ? {} : { providerRef }) }]
}
