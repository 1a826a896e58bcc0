import { type Static, Type } from 'typebox'
import { DEBIT_DAYS } from '../debits.ts'

/** The settings of a reseller's Stripe account. */
export const StripeSettings = Type.Object(
  {
    secretKey: Type.String({ description: 'a secret key, which begins with sk_ or rk_', pattern: '^(sk|rk)_(test|live)_\\w{4,250}$' }),
    /** Webhook signing secrets: two while the old one is being replaced. */
    webhookSecrets: Type.Array(Type.String({ pattern: '^whsec_\\S{4,250}$' }), {
      maxItems: 2,
      description: 'a list of at most two signing secrets, which begin with whsec_',
    }),
    ...DEBIT_DAYS,
  },
  { additionalProperties: false },
)
export type StripeSettings = Static<typeof StripeSettings>
