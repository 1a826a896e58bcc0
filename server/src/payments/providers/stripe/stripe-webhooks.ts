import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import { ApiError } from '../../../kit/api-error.ts'
import type { ProviderContext } from '../account.ts'
import type { WebhookEvent } from '../webhooks.ts'
import { stripeSdk } from './stripe-sdk.ts'
import type { StripeSettings } from './stripe.settings.ts'

const TOLERANCE_SECONDS = 300

const WireEvent = Type.Object({
  id: Type.String({ pattern: '^evt_', maxLength: 255 }),
  type: Type.String({ maxLength: 100 }),
  data: Type.Object({
    object: Type.Object({
      id: Type.Optional(Type.String({ maxLength: 255 })),
      object: Type.Optional(Type.String()),
      payment_intent: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
      metadata: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
    }),
  }),
})

/** Whether the header signs the raw body with one of the webhook secrets, at a time close to now. */
const hasValidSignature = ({ settings, now }: ProviderContext<StripeSettings>, header: string, raw: string): boolean =>
  settings.webhookSecrets.some((secret) => {
    try {
      stripeSdk().webhooks.constructEvent(raw, header, secret, TOLERANCE_SECONDS, undefined, now.getTime())
      return true
    } catch {
      return false
    }
  })

/**
 * Verifies and parses a webhook. The signature covers the raw text. The content is only a hint: the payment is looked up.
 * @returns one event: about a payment when it names a payment intent, else about something other
 * @throws ApiError when the signature is wrong or the text is not an event
 */
export const parseStripeWebhook = (
  context: ProviderContext<StripeSettings>,
  { headers, raw }: { headers: Readonly<Record<string, string>>; raw: string },
): readonly WebhookEvent[] => {
  if (!hasValidSignature(context, headers['stripe-signature'] ?? '', raw))
    throw new ApiError('invalid_signature', 'The signature of this webhook is not valid.')
  const event: unknown = JSON.parse(raw)
  if (!matchesSchema(WireEvent, event)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const { object } = event.data
  const providerRef = object.object === 'payment_intent' ? object.id : object.payment_intent
  const merchantReference = object.object === 'payment_intent' ? object.metadata?.['attempt'] : undefined
  const about = typeof providerRef === 'string' ? 'payment' : 'other'
  return [
    {
      eventId: event.id,
      kind: event.type,
      about,
      ...(typeof providerRef === 'string' ? { providerRef } : {}),
      ...(merchantReference === undefined ? {} : { merchantReference }),
    },
  ]
}
