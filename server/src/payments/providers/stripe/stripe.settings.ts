import { type Static, Type } from 'typebox'

/** What a reseller's account at Stripe consists of. */
export const StripeSettings = Type.Object(
  {
    secretKey: Type.String({ pattern: '^(sk|rk)_(test|live)_\\w{4,250}$' }),
    /** What notices are signed with; two while one takes the other's place. */
    webhookSecrets: Type.Array(Type.String({ pattern: '^whsec_\\S{4,250}$' }), { maxItems: 2 }),
  },
  { additionalProperties: false },
)
export type StripeSettings = Static<typeof StripeSettings>
