import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../../../kit/api-error.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { WebhookEvent } from '../webhooks.ts'
import type { PinchContext } from './pinch-client.ts'

const TOLERANCE_S = 300

const WireEvent = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.String({ minLength: 1, maxLength: 100 }),
  data: Type.Optional(Type.Unknown()),
})

/**
 * Whether one of the header's HMAC-SHA-256 over its time and the raw body is right under one of the webhook secrets, and that time is close
 * to now.
 */
const hasValidSignature = ({ settings, now }: PinchContext, header: string, raw: string): boolean => {
  const parts = header.split(',').map((part) => part.trim())
  const t = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  const signatures = parts.filter((part) => /^v2=[\da-f]{64}$/i.test(part)).map((part) => Buffer.from(part.slice(3), 'hex'))
  if (t === undefined || Math.abs(now.getTime() / 1_000 - Number(t)) > TOLERANCE_S) return false
  const expected = settings.webhookSecrets.map((secret) => createHmac('sha256', secret).update(`${t}.${raw}`).digest())
  return signatures.some((given) => expected.some((one) => timingSafeEqual(one, given)))
}

/**
 * Verifies and parses a webhook. Its content is only a hint: the payments that it names are looked up. Pinch writes the names of fields in
 * PascalCase unless asked otherwise, so that they are read without regard to case.
 * @returns one event for each payment that it names; one about something other when it names none
 * @throws ApiError when the signature is wrong or the text is not an event
 */
export const parsePinchWebhook = (
  context: PinchContext,
  { headers, raw }: { headers: Readonly<Record<string, string>>; raw: string },
): readonly WebhookEvent[] => {
  if (!hasValidSignature(context, headers['pinch-signature'] ?? '', raw))
    throw new ApiError('invalid_signature', 'The signature of this webhook is not valid.')
  const event = parseEvent(raw)
  if (!matchesSchema(WireEvent, event)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const { id, type: kind, data } = event
  const payments = [...findPayments(data).values()]
  if (payments.length === 0) return [{ eventId: id, kind, about: 'other' }]
  return payments.map((payment) => ({
    eventId: payments.length === 1 ? id : `${id}:${payment.providerRef}`,
    kind,
    about: 'payment',
    ...payment,
  }))
}

/** The parsed JSON with all names in lower case; undefined for a text that is none. */
const parseEvent = (raw: string): unknown => {
  try {
    return withLowerCaseNames(JSON.parse(raw))
  } catch {
    return undefined
  }
}

const MAX_DEPTH = 8

/** A JSON value with the names of its members in lower case; what lies deeper than `MAX_DEPTH` becomes null. */
const withLowerCaseNames = (value: unknown, depth = 0): unknown => {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((one: unknown) => withLowerCaseNames(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), withLowerCaseNames(inner, depth + 1)]))
}

const WireNamed = Type.Object({ id: Type.String({ pattern: '^pmt_\\w{1,100}$' }) })
const WireNaming = Type.Object({ paymentid: Type.String({ pattern: '^pmt_\\w{1,100}$' }) })
const OUR_REFERENCE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

interface FoundPayment {
  readonly providerRef: string
  readonly merchantReference?: string
}

/** Every payment that an event names, wherever: the form of most events is not documented. */
const findPayments = (value: unknown, found = new Map<string, FoundPayment>()): ReadonlyMap<string, FoundPayment> => {
  if (typeof value !== 'object' || value === null) return found
  if (matchesSchema(WireNamed, value)) found.set(value.id, { providerRef: value.id, ...merchantReferenceOf(value) })
  if (matchesSchema(WireNaming, value) && !found.has(value.paymentid)) found.set(value.paymentid, { providerRef: value.paymentid })
  for (const inner of Object.values(value)) findPayments(inner, found)
  return found
}

/** Our reference in the nonce or metadata of a payment, where one has the form of ours. */
const merchantReferenceOf = (payment: object): { merchantReference?: string } => {
  const { nonce, metadata } = payment as { nonce?: unknown; metadata?: unknown }
  const merchantReference = [nonce, metadata].find((mark): mark is string => typeof mark === 'string' && OUR_REFERENCE.test(mark))
  return merchantReference === undefined ? {} : { merchantReference }
}
