import { type Static, Type } from 'typebox'
import { DEBIT_DAYS } from '../debits.ts'

/** The settings of a reseller's Nexio account. */
export const NexioSettings = Type.Object(
  {
    username: Type.String({ pattern: '^[^:]{1,200}$' }),
    /** The password or an API key. */
    password: Type.String({ minLength: 1, maxLength: 300 }),
    /** Needed when the account has more than one merchant. */
    merchantId: Type.Optional(Type.String({ description: 'a number', pattern: '^\\d{1,20}$' })),
    /** Webhook secrets: two while the old one is being replaced. */
    webhookSecrets: Type.Array(Type.String({ minLength: 8, maxLength: 300 }), {
      maxItems: 2,
      description: 'a list of at most two secrets',
    }),
    ...DEBIT_DAYS,
  },
  { additionalProperties: false },
)
export type NexioSettings = Static<typeof NexioSettings>
