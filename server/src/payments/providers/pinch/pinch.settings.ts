import { type Static, Type } from 'typebox'
import { DEBIT_DAYS } from '../debits.ts'

/** The settings of a reseller's Pinch account. */
export const PinchSettings = Type.Object(
  {
    /** The application's id, or the merchant's. */
    applicationId: Type.String({ pattern: '^[\\w-]{1,100}$' }),
    secretKey: Type.String({ pattern: '^[\\x21-\\x7e]{1,300}$' }),
    /** `live` moves money; the mode is a part of every path. */
    mode: Type.Union([Type.Literal('test'), Type.Literal('live')]),
    /** What the account is paid in, AUD when absent: a payment's request names no currency. */
    currency: Type.Optional(Type.Union([Type.Literal('AUD'), Type.Literal('NZD')])),
    /** The merchant for which an application acts. */
    merchantId: Type.Optional(Type.String({ description: 'a merchant id, which begins with mch_', pattern: '^mch_\\w{1,100}$' })),
    /** Webhook secrets: two while the old one is being replaced. */
    webhookSecrets: Type.Array(Type.String({ minLength: 8, maxLength: 300 }), {
      maxItems: 2,
      description: 'a list of at most two secrets',
    }),
    ...DEBIT_DAYS,
  },
  { additionalProperties: false },
)
export type PinchSettings = Static<typeof PinchSettings>

/** What an account is paid in. */
export const currencyOf = ({ currency = 'AUD' }: PinchSettings): string => currency
