import { type Static, type TSchema, Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'
import { toMoney } from './stripe-amounts.ts'
import type { MethodAddress, MethodSummary, MethodDetails, StoredMethod } from '../method.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])
const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

const WireError = Type.Object({
  type: Type.Optional(Type.String()),
  code: Nullish(Type.String()),
  decline_code: Nullish(Type.String()),
  message: Nullish(Type.String()),
  param: Nullish(Type.String()),
})

const WireCharge = Type.Object({ amount_refunded: Type.Integer({ minimum: 0 }), disputed: Nullish(Type.Boolean()) })

/** The fields of a PaymentIntent that money depends on. */
const WireIntent = Type.Object({
  object: Type.Literal('payment_intent'),
  id: Type.String({ pattern: '^pi_' }),
  status: Type.String(),
  amount: Type.Integer({ minimum: 1 }),
  amount_received: Type.Integer({ minimum: 0 }),
  currency: Type.String({ minLength: 3, maxLength: 3 }),
  next_action: Nullish(Type.Object({ redirect_to_url: Nullish(Type.Object({ url: NullableText })) })),
  last_payment_error: Nullish(WireError),
  latest_charge: Nullish(Type.Union([Type.String(), WireCharge])),
})
type WireIntent = Static<typeof WireIntent>

/**
 * Decodes a PaymentIntent, without throwing. Only the status `succeeded` is a success, over the amount that was received: nothing is
 * compared with what was ordered.
 */
export const decodeIntent = (value: unknown, disputedMinor: bigint = 0n): ChargeResult => {
  if (!matchesSchema(WireIntent, value)) return { state: 'unknown', detail: 'stripe answered in an unknown format' }
  const intent = value
  switch (intent.status) {
    case 'succeeded':
      return succeededResult(intent, disputedMinor)
    case 'processing':
      return { state: 'processing', providerRef: intent.id }
    case 'requires_action':
      return toConfirmationResult(intent)
    case 'requires_payment_method':
      return intent.last_payment_error
        ? toDecline(intent.last_payment_error)
        : { state: 'not_started', detail: 'nothing has been charged yet' }
    case 'requires_confirmation':
      return { state: 'not_started', detail: 'nothing has been charged yet' }
    case 'canceled':
      return { state: 'canceled', detail: 'canceled at stripe' }
    default:
      return { state: 'unknown', detail: `stripe says ${intent.status.slice(0, 40)}` }
  }
}

/** The result of a payment that went through: what was received, what its latest charge shows as refunded, and what disputes took. */
const succeededResult = ({ id, amount_received, currency, latest_charge }: WireIntent, disputedMinor: bigint): ChargeResult => ({
  state: 'succeeded',
  providerRef: id,
  amount: toMoney(amount_received, currency),
  refunded: typeof latest_charge === 'object' && latest_charge !== null ? toMoney(latest_charge.amount_refunded, currency).minor : 0n,
  reversed: disputedMinor,
})

/** The result of a payment that waits for its payer to confirm it at the bank; not started when Stripe names no page for that. */
const toConfirmationResult = ({ id, next_action }: WireIntent): ChargeResult => {
  const redirectUrl = next_action?.redirect_to_url?.url
  return typeof redirectUrl === 'string'
    ? { state: 'requires_action', providerRef: id, redirectUrl }
    : { state: 'not_started', detail: 'stripe requires an action without a redirect' }
}

/** Whether a payment is or was disputed; then the disputes say how much is lost. */
export const wasDisputed = (value: unknown): boolean =>
  matchesSchema(WireIntent, value) && typeof value.latest_charge === 'object' && value.latest_charge?.disputed === true

const WireDispute = Type.Object({ amount: Type.Integer({ minimum: 0 }), currency: Type.String(), status: Type.String() })

/** The amount lost to disputes, in minor units: of open and lost ones, but not of those won or prevented, nor of mere inquiries. */
export const sumLostDisputes = (disputes: readonly unknown[]): bigint =>
  disputes.reduce<bigint>((sum, one) => {
    if (!matchesSchema(WireDispute, one) || one.status === 'won' || one.status.startsWith('warning_') || one.status === 'prevented')
      return sum
    return sum + toMoney(one.amount, one.currency).minor
  }, 0n)

/**
 * Our reasons for Stripe's decline codes; the default for a card is `card_declined`, for a request that Stripe does not take
 * `not_accepted`.
 */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  incorrect_number: 'invalid_account',
  invalid_number: 'invalid_account',
  invalid_account: 'invalid_account',
  account_closed: 'invalid_account',
  no_account: 'invalid_account',
  debit_not_authorized: 'invalid_account',
  payment_method_unactivated: 'invalid_account',
  resource_missing: 'method_gone',
  amount_too_small: 'amount_too_small',
  amount_too_large: 'amount_too_large',
  issuer_not_available: 'try_again',
  processing_error: 'try_again',
  rate_limit: 'try_again',
  lock_timeout: 'try_again',
}

/** Error codes whose messages are written for people, besides all card errors. */
const PUBLIC_ERROR_CODES: ReadonlySet<string> = new Set(['debit_not_authorized', 'account_closed', 'insufficient_funds'])

/** The decline of an error object. The payer is told Stripe's message where it is about their card, else our words. */
export const toDecline = (error: Static<typeof WireError>): Decline => {
  const code = error.decline_code ?? error.code ?? error.type ?? 'unknown'
  const reason = reasonOf(error)
  const isPublic = error.type === 'card_error' || PUBLIC_ERROR_CODES.has(error.code ?? '')
  const said = error.message ? { providerText: error.message } : {}
  return {
    state: 'declined',
    reason,
    providerCode: code,
    ...said,
    userMessage: (isPublic ? error.message : null) ?? REJECTION_TEXTS.not_accepted,
  }
}

/** Our reason for an error: by its codes, else `card_declined`, or for a request that Stripe does not take what its parameter was about. */
const reasonOf = ({ type, code, decline_code, param }: Static<typeof WireError>): DeclineReason => {
  const known = DECLINE_REASONS[decline_code ?? ''] ?? DECLINE_REASONS[code ?? '']
  if (known !== undefined) return known
  if (type !== 'invalid_request_error') return 'card_declined'
  return param === 'currency' ? 'currency_not_accepted' : param === 'amount' ? 'amount_not_accepted' : 'not_accepted'
}

export const INVALID_KEY_DECLINE: Decline = {
  state: 'declined',
  reason: 'not_configured',
  providerCode: 'authentication',
  userMessage: REJECTION_TEXTS.not_configured,
}

const Address = Type.Object({
  city: NullableText,
  country: NullableText,
  line1: NullableText,
  line2: NullableText,
  postal_code: NullableText,
  state: NullableText,
})
const Card = Type.Object({ brand: Type.String(), last4: Type.String(), exp_month: Type.Integer(), exp_year: Type.Integer() })
const Debit = Type.Object({
  last4: NullableText,
  bsb_number: Nullish(Type.String()),
  sort_code: Nullish(Type.String()),
  bank_code: Nullish(Type.String()),
  country: Nullish(Type.String()),
  routing_number: Nullish(Type.String()),
  bank_name: Nullish(Type.String()),
})
const WireMethod = Type.Object({
  object: Type.Literal('payment_method'),
  id: Type.String({ pattern: '^pm_' }),
  type: Type.String(),
  billing_details: Type.Object({
    name: NullableText,
    email: NullableText,
    phone: NullableText,
    address: Type.Union([Address, Type.Null()]),
  }),
  card: Type.Optional(Card),
  au_becs_debit: Type.Optional(Debit),
  bacs_debit: Type.Optional(Debit),
  sepa_debit: Type.Optional(Debit),
  us_bank_account: Type.Optional(Debit),
})

/**
 * A PaymentMethod as it is stored: its id as the token, and what may be shown. Undefined for anything else and for types that we do not
 * take.
 */
export const decodeMethod = (value: unknown): StoredMethod | undefined => {
  if (!matchesSchema(WireMethod, value)) return undefined
  const { id: token, type, billing_details, card } = value
  const person = {
    ...withoutNulls({ name: billing_details.name, email: billing_details.email, phone: billing_details.phone }),
    ...toAddress(billing_details.address),
  }
  if (type === 'card' && card !== undefined) {
    const details = { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year, ...person }
    return { kind: 'card', type, token, status: 'ready', details }
  }
  const debit = value[type as 'au_becs_debit']
  if (debit === undefined) return undefined
  const bankCode = debit.bsb_number ?? debit.sort_code ?? debit.bank_code ?? debit.routing_number ?? null
  const details = {
    ...withoutNulls({ last4: debit.last4, bankCode, bankName: debit.bank_name ?? null, country: debit.country ?? null }),
    ...person,
  }
  return { kind: 'bank', type, token, status: 'ready', details }
}

/** What may be shown of a PaymentMethod; undefined where it cannot be read. */
export const toMethodSummary = (value: unknown): MethodSummary | undefined => {
  const method = decodeMethod(value)
  if (method === undefined) return undefined
  const { brand = null, last4 = null, bankCode = null, bankName = null, country = null } = method.details
  return withoutNulls({ brand, last4, bankCode, bankName, country })
}

/** The address in our fields, null lines too; no field without an address. */
const toAddress = (address: Static<typeof Address> | null): Pick<MethodDetails, 'address'> => {
  if (address === null) return {}
  const { line1, line2, city, postal_code: postalCode, state, country } = address
  return { address: { line1, line2, city, postalCode, state, country } }
}

/** The fields that are not null; empty texts stay. */
const withoutNulls = <T extends Readonly<Record<string, string | null>>>(fields: T): { [K in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as { [K in keyof T]?: string }

/** An address in Stripe's form; an empty text or null clears a line, and an undefined line is left out. */
export const toStripeAddress = (address: MethodAddress): Record<string, string> => {
  const { line1, line2, city, postalCode, state, country } = address
  const lines = { line1, line2, city, postal_code: postalCode, state, country }
  return Object.fromEntries(Object.entries(lines).flatMap(([name, line]) => (line === undefined ? [] : [[name, line ?? '']])))
}
