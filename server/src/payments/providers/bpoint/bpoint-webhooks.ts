import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../../kit/api-error.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { WebhookEvent } from '../webhooks.ts'
import type { BpointContext } from './bpoint-client.ts'

const Text = Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()]))
const WireEvent = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 50 }),
  data: Type.Object({ merchantReference: Text, txnNumber: Text }),
})

/**
 * Parses a webhook. BPOINT signs none, so that it is only a hint to look up the payment that it names; nothing else of it is read. BPOINT
 * gives events no ids, so the event's type and the SHA-256 of its text stand for one.
 * @returns one event: about a payment when it names our reference, else about something other
 * @throws ApiError when the text is not an event
 */
export const parseBpointWebhook = (_context: BpointContext, { raw }: { readonly raw: string }): readonly WebhookEvent[] => {
  const event = parseEvent(raw)
  if (!matchesSchema(WireEvent, event)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const { type: kind, data } = event
  const eventId = `${kind}:${createHash('sha256').update(raw).digest('hex')}`
  if (kind !== 'transaction' || !data.merchantReference) return [{ eventId, kind, about: 'other' }]
  return [{ eventId, kind, about: 'payment', merchantReference: data.merchantReference }]
}

/** The parsed JSON; undefined for a text that is none. */
const parseEvent = (raw: string): unknown => {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}
