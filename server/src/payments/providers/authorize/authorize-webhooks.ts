import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../../kit/api-error.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { WebhookEvent } from '../webhooks.ts'
import type { AuthorizeContext } from './authorize-client.ts'
import { toMerchantReference } from './authorize-transactions.ts'

const WireEvent = Type.Object({
  notificationId: Type.String({ minLength: 1, maxLength: 255 }),
  eventType: Type.String({ maxLength: 100 }),
  payload: Type.Object({
    entityName: Type.Optional(Type.String()),
    id: Type.Optional(Type.String({ maxLength: 255 })),
    invoiceNumber: Type.Optional(Type.String({ maxLength: 255 })),
  }),
})

/**
 * Whether the header is the HMAC-SHA-512 of the raw body under one of the account's webhook secrets. A secret is used as text, although it
 * is made of hexadecimal digits.
 */
const hasValidSignature = ({ settings }: AuthorizeContext, header: string, raw: string): boolean => {
  const signature = Buffer.from(/^sha512=([0-9a-f]{128})$/i.exec(header)?.[1] ?? '', 'hex')
  return settings.webhookSecrets.some((key) => {
    const expected = createHmac('sha512', key).update(raw).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  })
}

/**
 * Verifies and parses a webhook. Its content is only a hint: the payment is looked up.
 * @returns one event: about a payment when it names a transaction, else about something other
 * @throws ApiError when the signature is wrong or the text is not an event
 */
export const parseAuthorizeWebhook = (
  context: AuthorizeContext,
  { headers, raw }: { headers: Readonly<Record<string, string>>; raw: string },
): readonly WebhookEvent[] => {
  if (!hasValidSignature(context, headers['x-anet-signature'] ?? '', raw))
    throw new ApiError('invalid_signature', 'The signature of this webhook is not valid.')
  const event = parseEvent(raw)
  if (!matchesSchema(WireEvent, event)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const { notificationId: eventId, eventType: kind, payload } = event
  const merchantReference = toMerchantReference(payload.invoiceNumber)
  // A refund has an id of its own.
  const providerRef = kind.endsWith('.refund.created') ? undefined : payload.id
  const isPayment = payload.entityName === 'transaction' && (merchantReference !== null || providerRef !== undefined)
  if (!isPayment) return [{ eventId, kind, about: 'other' }]
  return [
    {
      eventId,
      kind,
      about: 'payment',
      ...(merchantReference === null ? {} : { merchantReference }),
      ...(providerRef === undefined ? {} : { providerRef }),
    },
  ]
}

/** The parsed JSON; undefined for a text that is none. */
const parseEvent = (raw: string): unknown => {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}
