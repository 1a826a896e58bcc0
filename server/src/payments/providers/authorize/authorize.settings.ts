import { type Static, Type } from 'typebox'
import { BankingDays } from '../debits.ts'

/** The settings of a reseller's Authorize.net account. */
export const AuthorizeSettings = Type.Object(
  {
    loginId: Type.String({ description: 'an API login ID, of 1 to 25 characters without blanks', pattern: '^[!-~]{1,25}$' }),
    transactionKey: Type.String({ description: 'a transaction key, of 1 to 16 characters without blanks', pattern: '^[!-~]{1,16}$' }),
    /** The public key of Accept.js; the account is asked for it where it is absent. */
    clientKey: Type.Optional(Type.String({ pattern: '^[!-~]{1,255}$' })),
    /** Keys that sign webhook events: two while the old one is being replaced. */
    webhookSecrets: Type.Array(Type.String({ pattern: '^[!-~]{16,256}$' }), { maxItems: 2, description: 'a list of at most two secrets' }),
    /** After how many banking days a debit that was not returned counts as paid. */
    returnDays: Type.Optional(BankingDays),
  },
  { additionalProperties: false },
)
export type AuthorizeSettings = Static<typeof AuthorizeSettings>

/** Most banks return a debit within two banking days and tell it within five. */
export const DEFAULT_RETURN_DAYS = 5
